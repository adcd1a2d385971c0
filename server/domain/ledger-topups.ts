import {
  creditedFrom,
  type IntentTransaction,
  movement,
  type ReceivedFunds,
  type Shares,
  type Sum,
  transfer,
} from "./ledger";

/**
 * A top-up was paid: the provider received `credit` with its spread and fee, and the `rest` that the top-up's policy keeps
 * apart; all in destination minor units.
 */
export function topupCredit(
  intent: { readonly id: string; readonly currency: string },
  parts: Shares,
  rest = 0n,
): IntentTransaction {
  return {
    reason: "topup_credit",
    uniqueKey: `topup_credit:${intent.id}`,
    intentId: intent.id,
    entries: creditedFrom("provider_clearing", intent.currency, parts, rest),
  };
}

/** What the end of a top-up took in and did not credit: kept apart until a person decides. */
export function topupRest(intent: Sum): IntentTransaction {
  const rest = movement("amount_mismatch", intent, "provider_clearing", "suspense");
  return { ...rest, intentId: intent.id, uniqueKey: `topup_rest:${intent.id}` };
}

/** Funds booked beside a top-up: credited in these shares, or kept in suspense where there are none. */
export function unmatchedTopupFunds(
  reason: "late_money" | "topup_credit" | "amount_mismatch",
  uniqueKey: string,
  { intentId, currency, amount }: Omit<ReceivedFunds, "reference">,
  shares: Shares | null,
): IntentTransaction {
  const entries = shares
    ? creditedFrom("provider_clearing", currency, shares)
    : transfer("provider_clearing", "suspense", currency, amount);
  return { reason, uniqueKey, intentId, entries };
}

/** Funds of a top-up are gone after its end: the provider owes us less, and suspense is short until a person decides. */
export function fundsDropped(dropped: ReceivedFunds): IntentTransaction {
  return {
    reason: "funds_dropped",
    uniqueKey: `funds_dropped:${dropped.intentId}:${dropped.reference}`,
    intentId: dropped.intentId,
    entries: transfer("suspense", "provider_clearing", dropped.currency, dropped.amount),
  };
}
