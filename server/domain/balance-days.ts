// The balances of an account at the end of each day, from its balance now and what was booked on each day.

/** How many days, today among them, a balance is shown over. */
export const BALANCE_PERIODS = [30, 90] as const;

export interface BalanceDay {
  /** As 2026-11-21. */
  readonly day: string;
  /** What was booked on the day, in minor units. */
  readonly change: bigint;
  /** The balance at its end, in minor units; of a day that is not over, the balance now. */
  readonly closing: bigint;
}

/** The days in their order; `booked` is what was booked on each, and last what was booked after them. */
export function closingBalances(days: readonly string[], booked: readonly bigint[], balance: bigint): BalanceDay[] {
  let closing = balance - booked.slice(days.length).reduce((sum, amount) => sum + amount, 0n);
  const lines: BalanceDay[] = [];
  for (let index = days.length - 1; index >= 0; index -= 1) {
    const change = booked[index] ?? 0n;
    lines.unshift({ day: days[index] ?? "", change, closing });
    closing -= change;
  }
  return lines;
}
