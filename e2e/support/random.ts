// Random numbers that a seed repeats.
import fc from "fast-check";

/** Returns a function that draws whole numbers from 0 to less than its argument. Equal seeds draw equal numbers. */
export function randomBelow(seed: number): (below: number) => number {
  const [numbers] = fc.sample(fc.infiniteStream(fc.noBias(fc.maxSafeNat())), { numRuns: 1, seed });
  return (below) => Number(numbers?.next().value) % below;
}
