// Valid request bodies for the three kinds of intent, each with a unique merchant reference.
import { randomUUID } from "node:crypto";
import type { CreatePaymentIntentBody } from "@/server/contract/payment-intents";
import type { CreatePayoutIntentBody } from "@/server/contract/payout-intents";
import type { CreateTopupIntentBody } from "@/server/contract/topup-intents";

/** A new merchant reference or Idempotency-Key. */
export function unused(about: string): string {
  return `${about}-${randomUUID()}`;
}

/** 10.50 BRL by Pix: a QR code for the payer. The last two digits of an amount select the sandbox's behavior. */
export function paymentBody(changes: Partial<CreatePaymentIntentBody> = {}): CreatePaymentIntentBody {
  return {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    payment_method: "BR_PIX",
    merchant_reference: unused("order"),
    ...changes,
  };
}

export const RECIPIENT = {
  type: "bank_account",
  account_number: "0001234567890",
  bank_code: "001",
  holder_name: "Ana Souza",
} as const;

/** 25.00 BRL to a bank account, which then waits at the approval gate. */
export function payoutBody(changes: Partial<CreatePayoutIntentBody> = {}): CreatePayoutIntentBody {
  return {
    amount: "2500",
    currency: "BRL",
    country: "BR",
    merchant_reference: unused("payout"),
    recipient: { ...RECIPIENT },
    ...changes,
  };
}

/** 100.00 BRL bought with USDT on Tron. */
export function topupBody(changes: Partial<CreateTopupIntentBody> = {}): CreateTopupIntentBody {
  return {
    destination: { amount: "10000", currency: "BRL" },
    source: { type: "provider_gateway", currency: "USDT", network: "tron" },
    country: "BR",
    merchant_reference: unused("topup"),
    ...changes,
  };
}
