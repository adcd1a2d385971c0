// Counts and sums the payouts that await one member's approval.
import { countNewer, sumByCurrency } from "@/server/db/intents/overview";
import { payoutMapping } from "@/server/db/intents/payout-row";
import type { Scope } from "@/server/domain/scope";
import { COUNT_CAP } from "../intents/watch";

/** Returns the number of payouts that await the member's approval, at most COUNT_CAP. */
export function countWaitingFor(scope: Scope, memberId: string): Promise<number> {
  return countNewer(payoutMapping, scope, { decidableBy: memberId }, { createdAt: new Date(0), id: "" }, COUNT_CAP);
}

export interface WaitingSums {
  /** At most `cap`; the sums then cover that many. */
  readonly waiting: number;
  readonly cap: number;
  readonly sums: readonly { readonly currency: string; readonly count: number; readonly amount: bigint }[];
}

/** Sums the payouts at the gate that the member may approve, per currency in minor units. */
export async function sumWaitingFor(scope: Scope, memberId: string): Promise<WaitingSums> {
  const sums = await sumByCurrency(payoutMapping, scope, { decidableBy: memberId }, COUNT_CAP);
  return { waiting: sums.reduce((total, { count }) => total + count, 0), cap: COUNT_CAP, sums };
}
