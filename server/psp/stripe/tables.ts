// What Sluice assumes about Stripe, with the source of each row. `docs/providers/stripe.md` explains the columns.
// Rows marked "sdk" are from the types of Stripe's SDK, whose version is in `SDK`.
import type { RowSource } from "../config/keyed-account";

/** The SDK that the tables were compared with, and the version of the API that its types describe. */
export const SDK = { name: "stripe", version: "23.1.0", apiVersion: "2026-10-28.endive" } as const;

export const BASE_URL = "https://api.stripe.com";

/**
 * How a method is collected. `code`: a PaymentIntent that is confirmed at once and shows a code. `transfer`: the same with a
 * customer of its own, whose bank account receives the money. `page`: a Checkout Session, whose page asks the payer for
 * what the method needs.
 */
type Collection =
  | { readonly by: "code" }
  | { readonly by: "transfer"; readonly bankTransfer: string; readonly country?: string }
  | { readonly by: "page"; readonly voucherDays?: number };

interface PaymentRow {
  /** Stripe's payment method type. */
  readonly type: string;
  readonly currency: string;
  readonly collection: Collection;
  /** Members of the customer that Stripe demands. */
  readonly requires?: readonly "email"[];
  readonly source: RowSource;
}

/** The days that a voucher can be paid: the window of our voucher methods. */
const VOUCHER_DAYS = 3;

const code = (type: string, currency: string, source: RowSource = "sdk"): PaymentRow => ({
  type,
  currency,
  collection: { by: "code" },
  source,
});
const page = (type: string, currency: string): PaymentRow => ({
  type,
  currency,
  collection: { by: "page" },
  source: "sdk",
});
const voucher = (type: string, currency: string): PaymentRow => ({
  type,
  currency,
  collection: { by: "page", voucherDays: VOUCHER_DAYS },
  source: "sdk",
});
const transfer = (currency: string, bankTransfer: string, country?: string): PaymentRow => ({
  type: "customer_balance",
  currency,
  collection: { by: "transfer", bankTransfer, ...(country === undefined ? {} : { country }) },
  source: "sdk",
});

/** Payment methods. The types name UPI, but no source shows that a server may confirm it. */
export const PAYMENT_ROWS: Readonly<Record<string, PaymentRow>> = {
  BR_PIX: code("pix", "BRL"),
  BR_BOLETO: voucher("boleto", "BRL"),
  MX_SPEI: transfer("MXN", "mx_bank_transfer"),
  MX_OXXO: voucher("oxxo", "MXN"),
  TH_PROMPTPAY: { ...code("promptpay", "THB"), requires: ["email"] },
  MY_FPX: page("fpx", "MYR"),
  SG_PAYNOW: code("paynow", "SGD"),
  IN_UPI_QR: code("upi", "INR", "unverified"),
  JP_BANK_TRANSFER: transfer("JPY", "jp_bank_transfer"),
  JP_KONBINI: voucher("konbini", "JPY"),
  KR_KAKAOPAY: page("kakao_pay", "KRW"),
  GB_FASTER_PAYMENTS: transfer("GBP", "gb_bank_transfer"),
  NL_IDEAL: page("ideal", "EUR"),
  DE_SEPA_TRANSFER: transfer("EUR", "eu_bank_transfer", "DE"),
};

/** The status of a PaymentIntent that was cancelled, as Stripe spells it. */
export const CANCELLED = "canceled";

/**
 * What the status of a PaymentIntent means. `action`: the payer must act. `open`: a try has failed, and the object can be
 * confirmed again. `judge`: a state that the adapter never causes.
 */
export const INTENT_STATUSES: Readonly<
  Record<string, "action" | "open" | "pending" | "succeeded" | "cancelled" | "judge">
> = {
  requires_payment_method: "open",
  requires_confirmation: "judge",
  requires_action: "action",
  processing: "pending",
  requires_capture: "judge",
  [CANCELLED]: "cancelled",
  succeeded: "succeeded",
};

/** What the status of a Checkout Session means; its PaymentIntent decides about money. */
export const SESSION_STATUSES: Readonly<Record<string, "open" | "complete" | "expired">> = {
  open: "open",
  complete: "complete",
  expired: "expired",
};

/**
 * What the status of a refund means (docs.stripe.com/refunds). `returned`: the money is in the account's balance again. `judge`: a
 * refund of a bank transfer that is cancelled after 45 days goes to the payer's cash balance at Stripe instead
 * (docs.stripe.com/payments/customer-balance/refunding).
 */
export const REFUND_STATUSES: Readonly<Record<string, "pending" | "settled" | "returned" | "judge">> = {
  pending: "pending",
  requires_action: "pending",
  succeeded: "settled",
  failed: "returned",
  [CANCELLED]: "judge",
};

/**
 * Errors that prove that a call created nothing: Stripe validates parameters before it executes. A PaymentIntent in the
 * error shows that one exists. Every other error leaves the outcome unknown, also the refusal of a reused key.
 */
export const REFUSAL = { status: 400, type: "invalid_request_error" } as const;

/** Statuses in which Stripe cancels a PaymentIntent. */
export const CANCELLABLE: readonly string[] = ["requires_payment_method", "requires_confirmation", "requires_action"];

/** The calls that the adapter makes, by name: all others would be a change of this file. */
export const CALLS = {
  account: { method: "GET", path: "/v1/account" },
  balance: { method: "GET", path: "/v1/balance" },
  createCustomer: { method: "POST", path: "/v1/customers" },
  createIntent: { method: "POST", path: "/v1/payment_intents" },
  readIntent: { method: "GET", path: "/v1/payment_intents/{id}" },
  listIntents: { method: "GET", path: "/v1/payment_intents" },
  cancelIntent: { method: "POST", path: "/v1/payment_intents/{id}/cancel" },
  createSession: { method: "POST", path: "/v1/checkout/sessions" },
  readSession: { method: "GET", path: "/v1/checkout/sessions/{id}" },
  listSessions: { method: "GET", path: "/v1/checkout/sessions" },
  createRefund: { method: "POST", path: "/v1/refunds" },
  readRefund: { method: "GET", path: "/v1/refunds/{id}" },
  listRefunds: { method: "GET", path: "/v1/refunds" },
  expireSession: { method: "POST", path: "/v1/checkout/sessions/{id}/expire" },
} as const;
