// What Sluice assumes about Paystack, with the source of each row. `docs/providers/paystack.md` explains the columns.
// Rows marked "openapi" are from Paystack's OpenAPI document, whose version is in `DOCUMENT`.
import type { RowSource } from "../config/keyed-account";

/** The document that the rows marked "openapi" were compared with; see `compare-document.ts`. */
export const DOCUMENT = { title: "Paystack", version: "1.0.0", commit: "9678dea", date: "2025-10-24" } as const;

export const BASE_URL = "https://api.paystack.co";

interface PaymentRow {
  /** The member of `channels`. */
  readonly channel: string;
  readonly currency: string;
  readonly source: RowSource;
}

/** Payment methods, each through one channel of Paystack's payment page. */
export const PAYMENT_ROWS: Readonly<Record<string, PaymentRow>> = {
  NG_BANK_TRANSFER: { channel: "bank_transfer", currency: "NGN", source: "openapi" },
  NG_USSD: { channel: "ussd", currency: "NGN", source: "openapi" },
  KE_MPESA: { channel: "mobile_money", currency: "KES", source: "openapi" },
  ZA_INSTANT_EFT: { channel: "eft", currency: "ZAR", source: "openapi" },
};

interface PayoutRow {
  /** The `type` of a transfer recipient with a bank account in the currency's country. */
  readonly recipientType: string;
  readonly source: RowSource;
}

/** Currencies of payouts to bank accounts. `kepss` is in the documentation but not in the OpenAPI document's list of types. */
export const PAYOUT_ROWS: Readonly<Record<string, PayoutRow>> = {
  NGN: { recipientType: "nuban", source: "openapi" },
  GHS: { recipientType: "ghipss", source: "openapi" },
  ZAR: { recipientType: "basa", source: "openapi" },
  KES: { recipientType: "kepss", source: "unverified" },
};

/**
 * What a transaction's status means. `open`: it may still be paid, and nothing is known that Sluice does not know.
 * Paystack's page stays payable after a failed try, so `failed` and `abandoned` end nothing. `judge`: a person decides.
 */
export const TRANSACTION_STATUSES: Readonly<
  Record<string, { readonly meaning: "succeeded" | "open" | "judge"; readonly source: RowSource }>
> = {
  success: { meaning: "succeeded", source: "openapi" },
  failed: { meaning: "open", source: "openapi" },
  abandoned: { meaning: "open", source: "openapi" },
  reversed: { meaning: "judge", source: "openapi" },
  ongoing: { meaning: "open", source: "docs" },
  pending: { meaning: "open", source: "docs" },
  processing: { meaning: "open", source: "docs" },
  queued: { meaning: "open", source: "docs" },
};

/**
 * What a transfer's status means. `otp`: Paystack waits for a code that only a person receives. `reversed`: the amount is
 * back in the balance, whether or not it had left before.
 */
export const TRANSFER_STATUSES: Readonly<
  Record<
    string,
    { readonly meaning: "pending" | "otp" | "settled" | "declined" | "returned"; readonly source: RowSource }
  >
> = {
  pending: { meaning: "pending", source: "docs" },
  received: { meaning: "pending", source: "docs" },
  otp: { meaning: "otp", source: "docs" },
  success: { meaning: "settled", source: "docs" },
  failed: { meaning: "declined", source: "docs" },
  abandoned: { meaning: "declined", source: "docs" },
  blocked: { meaning: "declined", source: "docs" },
  rejected: { meaning: "declined", source: "docs" },
  reversed: { meaning: "returned", source: "docs" },
};

interface RefusalRow {
  /** `code` of the error; null where Paystack documents only the message. */
  readonly code: string | null;
  readonly message: string | null;
  readonly source: RowSource;
}

/** Errors that prove that a call created nothing. Every other error leaves the outcome unknown. */
export const REFUSALS: Readonly<Record<"initialize" | "recipient" | "transfer", readonly RefusalRow[]>> = {
  initialize: [{ code: "missing_params", message: null, source: "docs" }],
  recipient: [],
  transfer: [
    { code: "invalid_transfer_recipient", message: null, source: "docs" },
    { code: null, message: "Your balance is not enough to fulfill this request", source: "docs" },
    { code: null, message: "Your balance is not enough to fulfil this request", source: "docs" },
  ],
};

/** Errors with status 400 or 404 that say that a reference is not known. */
export const NOT_FOUND: Readonly<Record<"transaction" | "transfer", readonly RefusalRow[]>> = {
  transaction: [{ code: "transaction_not_found", message: "Transaction reference not found.", source: "docs" }],
  transfer: [{ code: null, message: "Transfer not found", source: "docs" }],
};

/** The calls that the adapter makes, by name: all others would be a change of this file. */
export const CALLS = {
  initialize: { method: "POST", path: "/transaction/initialize" },
  verifyTransaction: { method: "GET", path: "/transaction/verify/{reference}" },
  createRecipient: { method: "POST", path: "/transferrecipient" },
  transfer: { method: "POST", path: "/transfer" },
  verifyTransfer: { method: "GET", path: "/transfer/verify/{reference}" },
  customers: { method: "GET", path: "/customer" },
  recipients: { method: "GET", path: "/transferrecipient" },
  balance: { method: "GET", path: "/balance" },
  sessionTimeout: { method: "GET", path: "/integration/payment_session_timeout" },
} as const;
