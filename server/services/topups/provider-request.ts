// Builds a provider's request for a top-up intent.
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { TopupRequest, Uncalled } from "@/server/psp/gateway";

/** Returns the provider's request; equal for every call with the same intent. */
export function topupRequest(intent: TopupIntent): Uncalled<TopupRequest> {
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
