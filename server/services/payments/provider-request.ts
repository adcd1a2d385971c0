// Builds a provider's request for a payment intent.
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { env } from "@/server/platform/env";
import type { PaymentRequest, Uncalled } from "@/server/psp/gateway";

/** Returns the URL of our own page for this payment's customer. */
export function payerPageUrl(intent: PaymentIntent): string {
  return `${env().baseUrl}/pay/${intent.id}`;
}

/** Returns the provider's request; equal for every call with the same intent. */
export function paymentRequest(intent: PaymentIntent): Uncalled<PaymentRequest> {
  const method = findPaymentMethod(intent.paymentMethod);
  if (!method) throw new Error(`payment intent ${intent.id} has a method the catalogue does not know`);
  return {
    reference: intent.dispatchReference,
    merchantId: intent.merchantId,
    environment: intent.environment,
    createdAt: intent.createdAt,
    amount: intent.amount,
    currency: intent.currency,
    country: intent.country,
    method,
    nextActionType: intent.nextActionType,
    customer: intent.customer,
    expiresAt: intent.expiresAt,
    isAnswered: intent.revision > intent.routing.left.length,
    hostedUrl: payerPageUrl(intent),
  };
}
