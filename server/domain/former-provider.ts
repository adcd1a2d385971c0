// Owns what a provider's news means once the intent has gone to another: money is kept apart, the rest is ignored.
import { toSuspense } from "./ledger";
import type { PaymentOutcome, PayoutOutcome, ProviderSum, ProviderTrace, TopupOutcome } from "./outcome";
import { formerReceipt, type Receipt, receiptOf } from "./receipts";
import type { Ignored, Stray } from "./transition";

/**
 * The provider had given its word that it had nothing. Where it moved money all the same, that belongs to no course of the
 * intent: it goes to suspense with an exception, under the provider's name, so that it is no one else's reference.
 */
export function decideOnFormerProvider(
  intent: { readonly id: string },
  provider: string,
  outcome: PaymentOutcome | PayoutOutcome | TopupOutcome,
): Stray | Ignored {
  switch (outcome.kind) {
    case "succeeded":
      return keepReceipt(receiptOf({ id: intent.id, provider }, outcome));
    case "funds_seen":
      return keep(intent, provider, outcome, { by: provider, amount: outcome.amount });
    case "settled":
      return keep(intent, provider, outcome, { by: provider, amount: -outcome.amount });
    case "returned":
      return keep(intent, provider, outcome, { by: `${provider} returned`, amount: outcome.amount });
    default:
      return { kind: "ignored", reason: `${provider} no longer has it` };
  }
}

const NOTHING_MOVED: Ignored = { kind: "ignored", reason: "without a sum no money has moved" };

function keepReceipt(receipt: Receipt): Stray | Ignored {
  if (receipt.amount <= 0n) return NOTHING_MOVED;
  return { kind: "stray", reason: "late_money", transaction: formerReceipt(receipt), receipt };
}

function keep(
  { id: intentId }: { readonly id: string },
  provider: string,
  { amount: sum, currency, providerReference }: ProviderSum & ProviderTrace,
  { by, amount }: { readonly by: string; readonly amount: bigint },
): Stray | Ignored {
  if (sum <= 0n) return NOTHING_MOVED;
  const reference = `${by}:${providerReference ?? ""}`;
  return {
    kind: "stray",
    reason: "late_money",
    transaction: { ...toSuspense("late_money", { intentId, reference, currency, amount }), provider },
  };
}
