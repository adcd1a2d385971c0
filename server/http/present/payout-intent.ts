// Presents a payout intent on the wire (interface §2.2).
import { formatInstant } from "@/server/contract/instants";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import type { ShownPayout } from "@/server/domain/shown-intents";

/** Presents the payout intent, with only the last four characters of the account number. */
export function presentPayoutIntent(intent: ShownPayout): PayoutIntentResource {
  const { recipient } = intent;
  return {
    object: "payout_intent",
    id: intent.id,
    amount: intent.amount.toString(),
    currency: intent.currency,
    country: intent.country,
    environment: intent.environment,
    status: intent.status,
    merchant_reference: intent.merchantReference,
    recipient: {
      type: recipient.type,
      account_last4: recipient.accountLast4,
      bank_code: recipient.bankCode,
      holder_name: recipient.holderName,
    },
    failure_code: intent.failure?.code ?? null,
    failure_message: intent.failure?.message ?? null,
    created_at: formatInstant(intent.createdAt),
    updated_at: formatInstant(intent.updatedAt),
  };
}
