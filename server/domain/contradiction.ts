// Owns recognizing a report that is about another object than our intent.
import { contradictionException, type ExceptionFact } from "./exceptions";
import type { PaymentOutcome, PayoutOutcome, ProviderSum, TopupOutcome } from "./outcome";
import type { Contradiction } from "./transition";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

/**
 * A report whose provider says that the creation asked for another sum than ours: under this reference it has an object
 * that is not this intent, as after a restore when a reference was used again. Null where the provider says nothing else.
 * Nothing books the money of such a report, so each sum has an exception of its own.
 */
export function contradictionOf(
  intent: { readonly id: string; readonly dispatchReference: string },
  { amount, currency }: ProviderSum,
  outcome: AnyOutcome,
): Contradiction | null {
  const intended = "providerReference" in outcome ? outcome.intended : undefined;
  if (!intended || (intended.amount === amount && intended.currency === currency)) return null;
  const money = moneyOf(outcome);
  const reason = [intended.amount, intended.currency, ...(money?.identity ?? [])].join(":");
  const detail = {
    reference: intent.dispatchReference,
    reported: outcome.kind,
    amount: amount.toString(),
    currency,
    provider_amount: intended.amount.toString(),
    provider_currency: intended.currency,
    ...money?.detail,
  };
  return { kind: "contradiction", exception: contradictionException(intent.id, reason, detail) };
}

/** What tells the money of a report from other money, and what a person needs to find it; null for a report without. */
function moneyOf(outcome: AnyOutcome): { identity: readonly unknown[]; detail: ExceptionFact["detail"] } | null {
  if (!("amount" in outcome)) return null;
  const { kind, amount, currency, providerReference } = outcome;
  const receiptId = outcome.kind === "succeeded" ? outcome.receiptId : null;
  return {
    identity: [kind, amount, currency, receiptId ?? providerReference ?? ""],
    detail: {
      reported_amount: amount.toString(),
      reported_currency: currency,
      provider_reference: providerReference,
      receipt_id: receiptId,
    },
  };
}
