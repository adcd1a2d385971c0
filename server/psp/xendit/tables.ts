// What Sluice assumes about Xendit, with the source of each row. `docs/providers/xendit.md` explains the columns. Rows marked
// "sdk" are from the types of Xendit's SDK, whose version is in `SDK`; rows marked "docs" from docs.xendit.co.
import type { RowSource } from "../config/keyed-account";

/** The SDK that the tables were compared with. Its types describe the second version of Xendit's API. */
export const SDK = { name: "xendit-node", version: "7.0.0" } as const;

export const BASE_URL = "https://api.xendit.co";

/** How the payer pays: by a code or an account number that we show, or on the page of a wallet. */
type Collection =
  | { readonly type: "QR_CODE" | "EWALLET" }
  | {
      readonly type: "VIRTUAL_ACCOUNT";
      readonly network: string;
      readonly bankName: string;
      readonly bankCode: string;
    };

interface PaymentRow {
  /** Xendit's channel code within the type. */
  readonly channel: string;
  readonly currency: string;
  readonly collection: Collection;
  readonly source: RowSource;
}

const code = (channel: string, currency: string): PaymentRow => ({
  channel,
  currency,
  collection: { type: "QR_CODE" },
  source: "sdk",
});
const wallet = (channel: string, currency: string): PaymentRow => ({
  channel,
  currency,
  collection: { type: "EWALLET" },
  source: "sdk",
});

/**
 * Payment methods. OVO wants the payer's telephone number and FPX the payer's bank, which Sluice does not ask for; DuitNow
 * and VietQR have no channel of their own.
 */
export const PAYMENT_ROWS: Readonly<Record<string, PaymentRow>> = {
  ID_QRIS: code("QRIS", "IDR"),
  ID_BCA_VA: {
    channel: "BCA",
    currency: "IDR",
    collection: { type: "VIRTUAL_ACCOUNT", network: "BCA_VA", bankName: "Bank Central Asia", bankCode: "014" },
    source: "sdk",
  },
  ID_DANA: wallet("DANA", "IDR"),
  PH_QRPH: code("QRPH", "PHP"),
  PH_GCASH: wallet("GCASH", "PHP"),
  TH_PROMPTPAY: code("PROMPTPAY", "THB"),
  TH_TRUEMONEY: wallet("TRUEMONEY", "THB"),
  VN_MOMO: wallet("MOMO", "VND"),
};

interface PayoutRow {
  /** The beginning of the channel codes of banks and wallets that take the currency. */
  readonly channels: string;
  readonly source: RowSource;
}

/** Currencies of payouts: "all bank accounts & E-Wallets in Indonesia, Philippines, Thailand, Malaysia and Vietnam". */
export const PAYOUT_ROWS: Readonly<Record<string, PayoutRow>> = {
  IDR: { channels: "ID_", source: "docs" },
  PHP: { channels: "PH_", source: "docs" },
  VND: { channels: "VN_", source: "docs" },
  THB: { channels: "TH_", source: "docs" },
  MYR: { channels: "MY_", source: "docs" },
};

/** Xendit writes whole units of these currencies; ISO 4217 gives the rupiah two digits. */
export const EXPONENTS: Readonly<Record<string, number>> = { IDR: 0, VND: 0 };

/** The status of a payment request that was cancelled, as Xendit spells it. */
const CANCELLED = "CANCELED";

/**
 * What the status of a payment request means. `action`: the payer must act. `pending`: the payer has acted, or must act and
 * Xendit says it otherwise. `judge`: a state that the adapter never causes.
 */
export const PAYMENT_STATUSES: Readonly<
  Record<
    string,
    {
      readonly meaning: "action" | "pending" | "succeeded" | "declined" | "cancelled" | "expired" | "judge";
      readonly source: RowSource;
    }
  >
> = {
  REQUIRES_ACTION: { meaning: "action", source: "sdk" },
  PENDING: { meaning: "pending", source: "sdk" },
  SUCCEEDED: { meaning: "succeeded", source: "sdk" },
  FAILED: { meaning: "declined", source: "sdk" },
  [CANCELLED]: { meaning: "cancelled", source: "sdk" },
  EXPIRED: { meaning: "expired", source: "sdk" },
  VOIDED: { meaning: "judge", source: "sdk" },
  AWAITING_CAPTURE: { meaning: "judge", source: "sdk" },
  UNKNOWN: { meaning: "judge", source: "sdk" },
};

/**
 * What the status of a payout means. `review`: pending, and Xendit asks the account's owner by e-mail. `judge`: cash
 * payouts, which the adapter never makes.
 */
export const PAYOUT_STATUSES: Readonly<
  Record<
    string,
    {
      readonly meaning: "pending" | "review" | "settled" | "failed" | "declined" | "returned" | "judge";
      readonly source: RowSource;
    }
  >
> = {
  ACCEPTED: { meaning: "pending", source: "sdk" },
  REQUESTED: { meaning: "pending", source: "sdk" },
  PENDING_COMPLIANCE_ASSESSMENT: { meaning: "review", source: "docs" },
  SUCCEEDED: { meaning: "settled", source: "sdk" },
  FAILED: { meaning: "failed", source: "sdk" },
  CANCELLED: { meaning: "declined", source: "sdk" },
  COMPLIANCE_REJECTED: { meaning: "declined", source: "docs" },
  REVERSED: { meaning: "returned", source: "sdk" },
  LOCKED: { meaning: "judge", source: "sdk" },
  READY: { meaning: "judge", source: "docs" },
  EXPIRED: { meaning: "judge", source: "docs" },
};

/** Why a payout has failed; only one reason is about the recipient's account. Codes without a row are refusals too. */
export const FAILURE_CODES: Readonly<
  Record<string, { readonly meaning: "invalid_recipient" | "declined"; readonly source: RowSource }>
> = {
  INVALID_DESTINATION: { meaning: "invalid_recipient", source: "sdk" },
  INSUFFICIENT_BALANCE: { meaning: "declined", source: "sdk" },
  REJECTED_BY_CHANNEL: { meaning: "declined", source: "sdk" },
  TEMPORARY_TRANSFER_ERROR: { meaning: "declined", source: "sdk" },
  TRANSFER_ERROR: { meaning: "declined", source: "sdk" },
  UNKNOWN_BANK_NETWORK_ERROR: { meaning: "declined", source: "docs" },
  DESTINATION_MAXIMUM_LIMIT: { meaning: "declined", source: "docs" },
};

type Codes = Readonly<Record<string, RowSource>>;

/**
 * Codes of errors with status 400 by which Xendit says that it did not accept a creation. Every other error leaves the
 * outcome unknown, also `DUPLICATE_ERROR`: the key was used before.
 */
export const REFUSALS: Readonly<Record<"payment" | "payout", Codes>> = {
  payment: { API_VALIDATION_ERROR: "docs" },
  payout: {
    API_VALIDATION_ERROR: "docs",
    CHANNEL_CODE_NOT_SUPPORTED: "docs",
    MINIMUM_TRANSFER_LIMIT_ERROR: "docs",
    MAXIMUM_TRANSFER_LIMIT_ERROR: "docs",
    AMOUNT_INCREMENT_NOT_SUPPORTED: "docs",
  },
};

/** The codes of an unknown id, with status 404. */
export const NOT_FOUND: Codes = { DATA_NOT_FOUND: "docs", DATA_NOT_FOUND_ERROR: "sdk" };

/** The longest name and account number of a recipient, in characters. */
export const LONGEST_RECIPIENT = 100;

/** The calls that the adapter makes, by name: all others would be a change of this file. */
export const CALLS = {
  createPayment: { method: "POST", path: "/payment_requests" },
  readPayment: { method: "GET", path: "/payment_requests/{id}" },
  listPayments: { method: "GET", path: "/payment_requests" },
  createPayout: { method: "POST", path: "/v2/payouts" },
  readPayout: { method: "GET", path: "/v2/payouts/{id}" },
  listPayouts: { method: "GET", path: "/v2/payouts" },
  transactions: { method: "GET", path: "/transactions" },
  balance: { method: "GET", path: "/balance" },
} as const;
