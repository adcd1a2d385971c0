// The request bodies for an external provider; null if it cannot express an amount exactly.
import type { PaymentRequest, PayoutRequest, RefundRequest, TopupRequest } from "../gateway";
import { type Exponents, toProviderUnits } from "./exponents";

function core(request: PaymentRequest | PayoutRequest | RefundRequest | TopupRequest) {
  return {
    reference: request.reference,
    merchant_id: request.merchantId,
    environment: request.environment,
    created_at: request.createdAt.toISOString(),
  };
}

/** Returns the body of a payment's creation, or null if its amount cannot be expressed. */
export function paymentBody(request: PaymentRequest, exponents: Exponents): object | null {
  const amount = toProviderUnits(request.amount, request.currency, exponents);
  if (amount === null) return null;
  return {
    ...core(request),
    amount: amount.toString(),
    currency: request.currency,
    country: request.country,
    payment_method: request.method.code,
    next_action_type: request.nextActionType,
    customer: request.customer,
    expires_at: request.expiresAt.toISOString(),
    hosted_url: request.hostedUrl,
  };
}

/**
 * Returns the body of a payout's creation, or null if its amount cannot be expressed. The full account number leaves
 * the process only here.
 */
export function payoutBody(request: PayoutRequest, exponents: Exponents): object | null {
  const amount = toProviderUnits(request.amount, request.currency, exponents);
  if (amount === null) return null;
  const { accountNumber, bankCode, holderName } = request.recipient;
  return {
    ...core(request),
    amount: amount.toString(),
    currency: request.currency,
    country: request.country,
    recipient: { type: "bank_account", account_number: accountNumber, bank_code: bankCode, holder_name: holderName },
  };
}

/** Returns the body of a top-up's creation, or null if an amount cannot be expressed. */
export function topupBody(request: TopupRequest, exponents: Exponents): object | null {
  const destination = toProviderUnits(request.destinationAmount, request.destinationCurrency, exponents);
  const source = toProviderUnits(request.sourceAmount, request.sourceCurrency, exponents);
  if (destination === null || source === null) return null;
  return {
    ...core(request),
    destination: { amount: destination.toString(), currency: request.destinationCurrency },
    source: { amount: source.toString(), currency: request.sourceCurrency, network: request.network },
    expires_at: request.expiresAt.toISOString(),
  };
}

/** Returns the body of a refund's creation, or null if its amount cannot be expressed. */
export function refundBody(request: RefundRequest, exponents: Exponents): object | null {
  const amount = toProviderUnits(request.amount, request.currency, exponents);
  if (amount === null) return null;
  const { reference, providerReference, receiptId } = request.payment;
  return {
    ...core(request),
    amount: amount.toString(),
    currency: request.currency,
    payment: { reference, provider_reference: providerReference, receipt_id: receiptId },
  };
}
