// Sample requests for the tests of provider adapters; each is announced at the moment it is sent.
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { now } from "@/server/platform/clock";
import type { Creation, PaymentRequest, PayoutRequest, TopupRequest } from "../gateway";

export const CREATED_AT = new Date("2026-11-21T09:00:00.000Z");

/** Returns the time `ms` milliseconds after the creation of the sample requests. */
export function after(ms: number): Date {
  return new Date(CREATED_AT.getTime() + ms);
}

const CORE = {
  merchantId: "mer_01h455vb4pex5vsknk084sn02q",
  environment: "test",
  createdAt: CREATED_AT,
  subAccount: null,
} as const;

/** Returns a payment with a method of the catalog; the amount is in minor units. */
export function samplePayment(
  amount: bigint,
  methodCode = "BR_PIX",
  changes: Partial<PaymentRequest> = {},
): Creation<PaymentRequest> {
  const method = findPaymentMethod(methodCode);
  if (!method) throw new RangeError(`no method ${methodCode}`);
  return {
    ...CORE,
    reference: "dord_01h455vb4pex5vsknk084sn02q",
    amount,
    currency: method.currency,
    country: method.country,
    method,
    nextActionType: method.nextActionType,
    customer: { name: "Ana Souza", email: "ana@example.com" },
    expiresAt: after(method.expiresInSeconds * 1000),
    isAnswered: false,
    hostedUrl: "https://pay.example.com/pay/dord_01h455vb4pex5vsknk084sn02q",
    ...changes,
    get announcedAt() {
      return now();
    },
  };
}

/** Returns a payout in BRL; the amount is in minor units. */
export function samplePayout(amount: bigint, changes: Partial<PayoutRequest> = {}): Creation<PayoutRequest> {
  return {
    ...CORE,
    reference: "word_01h455vb4pex5vsknk084sn02q",
    amount,
    currency: "BRL",
    country: "BR",
    recipient: { accountNumber: "0001234567890", bankCode: "001", holderName: "Ana Souza" },
    ...changes,
    get announcedAt() {
      return now();
    },
  };
}

/** Returns a top-up of USDT into BRL; the amount is the destination's, in minor units. */
export function sampleTopup(destinationAmount: bigint, changes: Partial<TopupRequest> = {}): Creation<TopupRequest> {
  return {
    ...CORE,
    reference: "tuin_01h455vb4pex5vsknk084sn02q",
    destinationAmount,
    destinationCurrency: "BRL",
    sourceAmount: 18_416_207n,
    sourceCurrency: "USDT",
    network: "tron",
    expiresAt: after(15 * 60 * 1000),
    ...changes,
    get announcedAt() {
      return now();
    },
  };
}
