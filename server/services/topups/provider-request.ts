// What a provider is told about a top-up intent.
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { TopupRequest } from "@/server/psp/gateway";

/** The request for the provider, equal every time it is made for the same intent. */
export function topupRequest(intent: TopupIntent): TopupRequest {
  return {
    reference: intent.dispatchReference,
    merchantId: intent.merchantId,
    environment: intent.environment,
    createdAt: intent.createdAt,
    destinationAmount: intent.destinationAmount,
    destinationCurrency: intent.destinationCurrency,
    sourceAmount: intent.sourceAmount,
    sourceCurrency: intent.sourceCurrency,
    network: intent.network,
    expiresAt: intent.expiresAt,
  };
}
