// Presents a top-up intent on the wire (interface §2.3).

import { formatInstant } from "@/server/contract/instants";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { TopupNextAction } from "@/server/domain/next-action";
import type { ShownTopup } from "@/server/domain/shown-intents";

export function presentTopupIntent(intent: ShownTopup): TopupIntentResource {
  const expiresAt = formatInstant(intent.expiresAt);
  return {
    object: "topup_intent",
    id: intent.id,
    status: intent.status,
    environment: intent.environment,
    country: intent.country,
    merchant_reference: intent.merchantReference,
    created_at: formatInstant(intent.createdAt),
    updated_at: formatInstant(intent.updatedAt),
    expires_at: expiresAt,
    failure_code: intent.failure?.code ?? null,
    failure_message: intent.failure?.message ?? null,
    destination: {
      amount: intent.destinationAmount.toString(),
      credited_amount: intent.creditedAmount.toString(),
      currency: intent.destinationCurrency,
      merchant_id: intent.merchantId,
    },
    fx: {
      source_currency: intent.sourceCurrency,
      destination_currency: intent.destinationCurrency,
      rate: intent.rate,
      spread_amount: intent.spreadAmount.toString(),
    },
    source: {
      type: intent.sourceType,
      provider: intent.provider,
      amount: intent.sourceAmount.toString(),
      currency: intent.sourceCurrency,
      expires_at: expiresAt,
      fee_amount: intent.feeAmount.toString(),
      fee_mode: intent.feeMode,
    },
    next_action: intent.nextAction && presentNextAction(intent.nextAction),
  };
}

function presentNextAction(action: TopupNextAction): NonNullable<TopupIntentResource["next_action"]> {
  return {
    type: action.type,
    address: action.address,
    amount: action.amount,
    currency: action.currency,
    network: action.network,
    expires_at: action.expires_at,
  };
}
