// Reports of a provider that does not have the intent, or no longer has it: its money is separate from the intent's.
import { unexpectedAcceptance } from "./acceptance";
import { contradictionException } from "./exceptions";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "./outcome";
import { movedBeforeDispatch, movedElsewhere } from "./payout-movements";
import { formerReceipt, keepReceipt, receiptOf } from "./receipts";
import type { BooksDependent, Contradiction, IgnoredReport, IntentCore } from "./transition";

type FundsSeen = Extract<TopupOutcome, { kind: "funds_seen" }>;

/**
 * Decides on a report of a provider that should have nothing. Money that it received or sent for a payment or payout is
 * booked to suspense with an exception, under the provider's name so that references cannot collide. Funds for a
 * top-up, and reports about a payout at the gate, which that provider may have executed before a restore, open a
 * contradiction instead.
 */
export function decideOnFormerProvider<Intent extends IntentCore<string>>(
  intent: Intent,
  provider: string,
  outcome: PaymentOutcome | PayoutOutcome | TopupOutcome,
): BooksDependent<Intent> | Contradiction | IgnoredReport {
  if ("amount" in outcome && outcome.amount <= 0n) {
    return { kind: "ignored", reason: "without a sum no money has moved" };
  }
  switch (outcome.kind) {
    case "succeeded": {
      const receipt = receiptOf({ id: intent.id, provider }, outcome);
      return keepReceipt("late_money", receipt, formerReceipt(receipt));
    }
    case "settled":
    case "returned":
      return intent.status === "requires_approval"
        ? movedBeforeDispatch(intent.id, provider, outcome)
        : movedElsewhere(intent.id, provider, outcome);
    case "funds_seen":
      return fundsElsewhere(intent.id, provider, outcome);
    default:
      return (
        unexpectedAcceptance(intent, provider, outcome) ?? { kind: "ignored", reason: `${provider} does not have it` }
      );
  }
}

/**
 * Tokens that another provider received. A top-up never changes its provider, so their value was never quoted. A person
 * determines whose they are.
 */
function fundsElsewhere(intentId: string, provider: string, funds: FundsSeen): Contradiction | IgnoredReport {
  const { amount, currency, confirmed, providerReference } = funds;
  if (!confirmed) return { kind: "ignored", reason: "funds that are not confirmed, of another provider" };
  const detail = {
    why: "The provider reports funds, but another provider has the top-up.",
    provider,
    reported_amount: amount.toString(),
    reported_currency: currency,
    provider_reference: providerReference,
  };
  const reason = `${provider} funds_seen ${amount} ${currency}`;
  return { kind: "contradiction", exception: contradictionException(intentId, reason, detail) };
}
