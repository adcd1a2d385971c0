// Owns recognizing a report that cannot be about our intent as it is.
import { unexpectedAcceptance } from "./acceptance";
import { contradictionException, type ExceptionFact } from "./exceptions";
import type { PaymentOutcome, PayoutOutcome, ProviderSum, TopupOutcome } from "./outcome";
import type { Contradiction, Failure } from "./transition";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

interface Subject {
  readonly id: string;
  readonly dispatchReference: string;
  readonly status: string;
  readonly provider: string;
  readonly failure: Failure | null;
}

/**
 * A report of the intent's provider that contradicts the intent: it is about another object, or it shows acceptance of what
 * the provider cannot have. Null where it contradicts nothing.
 */
export function contradictionOf(intent: Subject, asked: ProviderSum, outcome: AnyOutcome): Contradiction | null {
  return anotherObject(intent, asked, outcome) ?? unexpectedAcceptance(intent, intent.provider, outcome);
}

/**
 * A report whose provider says that the creation asked for another sum than ours: under this reference it has an object
 * that is not this intent, as after a restore when a reference was used again. Null where the provider says nothing else.
 * Nothing books the money of such a report, so each sum has an exception of its own.
 */
function anotherObject(intent: Subject, { amount, currency }: ProviderSum, outcome: AnyOutcome): Contradiction | null {
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
