// Owns what a report of a settlement means that does not settle its payout: another sum, or after the hold was released.
import { contradictionException } from "./exceptions";
import { toSuspense } from "./ledger";
import type { PayoutOutcome } from "./outcome";
import type { Contradiction, Ignored, Stray } from "./transition";

type Settled = Extract<PayoutOutcome, { kind: "settled" }>;
type MovedReport = Extract<PayoutOutcome, { kind: "settled" | "returned" }>;

interface Payout {
  readonly id: string;
  /** Minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
}

/**
 * The provider reports another sum than the payout's. The hold already covers whatever has left, so booking the report
 * would take the money twice: a person resolves the payout by the sum that really left.
 */
export function anotherSum({ id, amount, currency }: Payout, settled: Settled): Contradiction {
  const { amount: reported, currency: reportedCurrency, providerReference } = settled;
  const detail = {
    why: "The provider reports another sum than the payout's.",
    amount: amount.toString(),
    currency,
    reported_amount: reported.toString(),
    reported_currency: reportedCurrency,
    provider_reference: providerReference,
  };
  const reason = `settled ${reported} ${reportedCurrency}`;
  return { kind: "contradiction", exception: contradictionException(id, reason, detail) };
}

/** The provider paid a payout whose hold we have released already. The status stays; the money is accounted for. */
export function paidAfterRelease({ id: intentId }: Payout, settled: Settled): Ignored | Stray {
  const { amount, currency, providerReference } = settled;
  if (amount <= 0n) return { kind: "ignored", reason: "a settlement without a sum settles nothing" };
  const left = { intentId, reference: providerReference ?? "", currency, amount: -amount };
  return { kind: "stray", reason: "late_money", transaction: toSuspense("late_money", left) };
}

/**
 * The provider reports that money left, or came back, for a payout that was never sent from here: it still awaits approval,
 * as after a restore from a backup. Nothing is booked until a person knows what happened.
 */
export function movedBeforeDispatch({ id }: Payout, report: MovedReport): Contradiction {
  const { kind, amount, currency, providerReference } = report;
  const detail = {
    why: `The provider reports "${kind}", but the payout awaits approval and was never sent.`,
    reported_amount: amount.toString(),
    reported_currency: currency,
    provider_reference: providerReference,
  };
  return { kind: "contradiction", exception: contradictionException(id, `${kind} before dispatch`, detail) };
}
