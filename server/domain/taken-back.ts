// Movements of an intent that operators took back by journal entries, which a settlement line must not find any more.
import type { Movement } from "./reconciliation";

/**
 * The movements, in the order of booking, less what entries about the intent took back: `byHand` is their sum by currency, in
 * the movements' sign, so below zero where they took back. It is taken from the movement of just this sum, else from the latest
 * ones. What entries added is no movement that a line could find: it was booked by hand, and a person judges its line.
 */
export function withoutTakenBack(movements: readonly Movement[], byHand: ReadonlyMap<string, bigint>): Movement[] {
  const left = new Map([...byHand].map(([currency, amount]) => [currency, amount < 0n ? -amount : 0n]));
  const take = (movement: Movement, most: bigint): Movement => {
    const rest = left.get(movement.currency) ?? 0n;
    const taken = rest < most ? rest : most;
    left.set(movement.currency, rest - taken);
    return { ...movement, amount: movement.amount - taken };
  };
  const exact = movements.map((one) => (left.get(one.currency) === one.amount ? take(one, one.amount) : one));
  const all = exact.toReversed().map((one) => take(one, one.amount > 0n ? one.amount : 0n));
  return all.toReversed().filter(({ amount }) => amount > 0n);
}
