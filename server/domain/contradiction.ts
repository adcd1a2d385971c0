// Owns recognizing a report that is about another object than our intent.
import type { PaymentOutcome, PayoutOutcome, ProviderSum, TopupOutcome } from "./outcome";
import type { Contradiction } from "./transition";

/**
 * A report whose provider says that the creation asked for another sum than ours: under this reference it has an object
 * that is not this intent, as after a restore when a reference was used again. Null where the provider says nothing else.
 */
export function contradictionOf(
  intent: { readonly id: string; readonly dispatchReference: string },
  { amount, currency }: ProviderSum,
  outcome: PaymentOutcome | PayoutOutcome | TopupOutcome,
): Contradiction | null {
  const intended = "providerReference" in outcome ? outcome.intended : undefined;
  if (!intended || (intended.amount === amount && intended.currency === currency)) return null;
  return {
    kind: "contradiction",
    exception: {
      kind: "contradiction",
      objectId: intent.id,
      fact: `contradiction:${intent.id}:${intended.amount}:${intended.currency}`,
      detail: {
        reference: intent.dispatchReference,
        reported: outcome.kind,
        amount: amount.toString(),
        currency,
        provider_amount: intended.amount.toString(),
        provider_currency: intended.currency,
      },
    },
  };
}
