// Sample intents of each kind for the tests of the domain.

import type { PaymentNextAction, TopupNextAction } from "../next-action";
import { newPaymentIntent, type PaymentIntent } from "../payment-intent";
import { findPaymentMethod } from "../payment-methods";
import type { PaymentStatus } from "../payment-transitions";
import { newPayoutIntent, type PayoutIntent } from "../payout-intent";
import type { PayoutStatus } from "../payout-transitions";
import { onlyProvider } from "../routing";
import type { Actor, Scope } from "../scope";
import { newTopupIntent, type TopupIntent } from "../topup-intent";
import type { TopupStatus } from "../topup-transitions";
import type { Failure } from "../transition";

export const START = new Date("2026-11-21T09:00:00.000Z");
export const SCOPE: Scope = { merchantId: "mer_01h455vb4pex5vsknk084sn02q", environment: "test" };
const MAKER: Actor = { type: "api_key", id: "key_01h455vb4pex5vsknk084sn02q" };

/** That many milliseconds after the samples were made. */
export function after(ms: number): Date {
  return new Date(START.getTime() + ms);
}

const ROUTING = onlyProvider("sandbox");
const FAILURE: Failure = { code: "provider_declined", message: null };

export const QR: PaymentNextAction = {
  type: "redirect_to_url",
  url: "https://pay.example.com/1",
  expires_at: after(1_800_000).toISOString(),
};

/** A payment of 10.50 BRL by Pix in that status. */
export function samplePayment(status: PaymentStatus = "processing", changes: Partial<PaymentIntent> = {}) {
  const method = findPaymentMethod("BR_PIX");
  if (!method) throw new RangeError("no BR_PIX");
  const fresh = newPaymentIntent(
    {
      id: "dord_01h455vb4pex5vsknk084sn02q",
      scope: SCOPE,
      amount: 1050n,
      country: "BR",
      merchantReference: "order-1",
      method,
      customer: null,
      description: null,
      returnUrl: null,
      provider: "sandbox",
      routing: ROUTING,
      checkoutMode: "direct",
    },
    START,
    after(4_000),
  );
  const failed = status === "failed" || status === "expired";
  const nextAction = status === "requires_action" ? QR : null;
  const own = { status, nextAction, failure: failed ? FAILURE : null, dispatchReference: changes.id ?? fresh.id };
  return { ...fresh, ...own, ...changes } satisfies PaymentIntent;
}

/** A payout of 250.00 BRL in that status. */
export function samplePayout(status: PayoutStatus = "requires_approval", changes: Partial<PayoutIntent> = {}) {
  const { intent } = newPayoutIntent(
    {
      id: "word_01h455vb4pex5vsknk084sn02q",
      scope: SCOPE,
      amount: 25_000n,
      currency: "BRL",
      country: "BR",
      merchantReference: "payout-1",
      recipient: { type: "bank_account", accountLast4: "6789", bankCode: "001", holderName: "Ana Souza" },
      account: { sealed: "k.sealed", digest: "k.digest" },
      provider: "sandbox",
      routing: ROUTING,
      approvalsRequired: 1,
      policyVersion: 1,
      dailyTotalBelow: null,
      createdBy: MAKER,
      recipientId: null,
      batchId: null,
    },
    START,
  );
  const failed = status === "failed" || status === "cancelled";
  const approvalsGiven = status === "requires_approval" || status === "cancelled" ? 0 : 1;
  const own = { status, approvalsGiven, failure: failed ? FAILURE : null, dispatchReference: changes.id ?? intent.id };
  return { ...intent, ...own, ...changes } satisfies PayoutIntent;
}

export const ADDRESS: TopupNextAction = {
  type: "display_crypto_payment_instructions",
  address: "T123",
  amount: "185082873",
  currency: "USDT",
  network: "tron",
  expires_at: after(900_000).toISOString(),
};

/** A top-up of 1,000.00 BRL by USDT at 5.43, with 0.5 % spread and 0.1 % fee, in that status. */
export function sampleTopup(status: TopupStatus = "requires_payment", changes: Partial<TopupIntent> = {}): TopupIntent {
  const fresh = newTopupIntent(
    {
      ...SCOPE,
      id: "tuin_01h455vb4pex5vsknk084sn02q",
      country: "BR",
      merchantReference: null,
      destinationAmount: 100_000n,
      destinationCurrency: "BRL",
      rate: "5.430000",
      spreadAmount: 500n,
      sourceType: "provider_gateway",
      provider: "sandbox",
      routing: ROUTING,
      network: "tron",
      sourceAmount: 185_082_873n,
      sourceCurrency: "USDT",
      feeAmount: 185_083n,
      feeMode: "absorbed",
      policies: { overpayment: "credit_actual", underpayment: "credit_actual", latePayment: "hold" },
    },
    START,
    after(4_000),
  );
  const failed = status === "failed" || status === "expired";
  const own = { status, failure: failed ? FAILURE : null, dispatchReference: changes.id ?? fresh.id };
  return { ...fresh, ...own, ...changes };
}
