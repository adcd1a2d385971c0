// Recognizing a report that cannot be about our intent as it is.
import { unexpectedAcceptance } from "./acceptance";
import { contradictionException, type ExceptionFact } from "./exceptions";
import type { PaymentOutcome, PayoutOutcome, ProviderSum, TopupOutcome } from "./outcome";
import type { Contradiction, Failure } from "./transition";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

/** What the creation of a payment or payout asks its provider for, or of a top-up. Minor units. */
type RequestedSum = ProviderSum | { readonly destinationAmount: bigint; readonly destinationCurrency: string };

type Subject = RequestedSum & {
  readonly id: string;
  readonly dispatchReference: string;
  readonly status: string;
  readonly provider: string;
  readonly failure: Failure | null;
};

/**
 * A report of the intent's provider that contradicts the intent: it is about another object, or it shows acceptance of what
 * the provider cannot have. Null where it contradicts nothing.
 */
export function contradictionOf(intent: Subject, outcome: AnyOutcome): Contradiction | null {
  const { provider } = intent;
  return anotherObject(intent, provider, outcome) ?? unexpectedAcceptance(intent, provider, outcome);
}

function requestedSumOf(intent: RequestedSum): ProviderSum {
  if ("amount" in intent) return intent;
  return { amount: intent.destinationAmount, currency: intent.destinationCurrency };
}

/**
 * A report whose provider says that the creation asked for another sum than ours: under this reference it has an object
 * that is not this intent, as after a restore when a reference was used again. Null where the provider says nothing else.
 * Nothing books the money of such a report, so each sum has an exception of its own. `provider` may be one that the intent
 * has left.
 */
export function anotherObject(intent: Subject, provider: string, outcome: AnyOutcome): Contradiction | null {
  const { amount, currency } = requestedSumOf(intent);
  const intended = "providerReference" in outcome ? outcome.intended : undefined;
  if (!intended || (intended.amount === amount && intended.currency === currency)) return null;
  const money = moneyOf(outcome);
  const former = provider === intent.provider ? [] : [provider];
  const reason = [...former, intended.amount, intended.currency, ...(money?.identity ?? [])].join(":");
  const detail = {
    provider,
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
