// Movements of an intent that were taken back, which a settlement line must not find any more.
import type { Movement } from "./reconciliation";

/** A movement, and whether a settlement line has found it. */
export interface FoundMovement extends Movement {
  readonly isSettled: boolean;
}

/**
 * The movements, in the order of booking, less what was taken back of them: `takenBack` is the sum by currency, in the movements' sign,
 * so below zero where something was taken back. It is taken from the movement of just this sum, else from the latest ones; first of all
 * from those that no line has found, since a line says that the provider has the others. What was added is no movement that a line
 * could find: it was booked by hand, and a person judges its line.
 */
export function withoutTakenBack(
  movements: readonly FoundMovement[],
  takenBack: ReadonlyMap<string, bigint>,
): readonly Movement[] {
  const left = new Map([...takenBack].map(([currency, amount]) => [currency, amount < 0n ? -amount : 0n]));
  const amounts = movements.map(({ amount }) => amount);
  const take = (at: number) => {
    const { currency } = movements[at] as FoundMovement;
    const [rest, most] = [left.get(currency) ?? 0n, amounts[at] ?? 0n];
    const taken = rest < most ? rest : most > 0n ? most : 0n;
    left.set(currency, rest - taken);
    amounts[at] = most - taken;
  };
  for (const isSettled of [false, true]) {
    const places = movements.flatMap((one, at) => (one.isSettled === isSettled ? [at] : []));
    for (const at of places) if (left.get(movements[at]?.currency ?? "") === amounts[at]) take(at);
    for (const at of places.toReversed()) take(at);
  }
  return movements
    .map(({ transactionId, currency }, at) => ({ transactionId, currency, amount: amounts[at] ?? 0n }))
    .filter(({ amount }) => amount > 0n);
}
