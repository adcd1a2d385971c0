// The time a failed sign-in takes.
import { setTimeout } from "node:timers/promises";

const STEP_MS = 100;

/**
 * Waits until a multiple of 100 ms after `startedAt`, in ms of `performance.now()`. Counting and auditing take longer for
 * addresses that belong to a member; the answer's time must not reveal which ones do.
 */
export async function untilNextStep(startedAt: number): Promise<void> {
  const elapsed = performance.now() - startedAt;
  await setTimeout(Math.ceil(elapsed / STEP_MS) * STEP_MS - elapsed);
}
