// What Sluice assumes about dLocal, with the source of each row. `docs/providers/dlocal.md` explains the columns. dLocal
// publishes no OpenAPI document: `SOURCES` names the pages and repositories that were read, and when.
import type { RowSource } from "../config/keyed-account";

/** Read on 2026-11-26, as stored copies. `former` and `wikimedia` are repositories; the latter at the commit that it names. */
export const SOURCES = {
  api: "https://docs.dlocal.com/reference",
  guides: "https://docs.dlocal.com/docs",
  /** dLocal's documentation as it was from 2019 to 2021. */
  former: "https://github.com/fmazzoli-dlocal/documentation",
  /** Code that Wikimedia collects donations with: it shows what dLocal answers. */
  wikimedia: "https://github.com/wikimedia/wikimedia-fundraising-SmashPig/tree/426ebe08",
} as const;

type Source = keyof typeof SOURCES;

export const BASE_URLS = { live: "https://api.dlocal.com", test: "https://sandbox.dlocal.com" } as const;

/** The version of the API, sent with each call. */
export const API_VERSION = "2.1";

interface PaymentRow {
  /** dLocal's `payment_method_id`; null where no page that was read shows it, so that the operator must name it. */
  readonly id: string | null;
  readonly currency: string;
  readonly source: RowSource;
  /** Where `id` and its flow REDIRECT are shown. */
  readonly seen: readonly Source[];
}

const row = (id: string | null, currency: string, source: RowSource, ...seen: readonly Source[]): PaymentRow => ({
  id,
  currency,
  source,
  seen,
});

/**
 * Payment methods, all by redirect. Off: the flow of CoDi, Yape and the Argentine transfer is not shown by a page that was
 * read, or only by an old one, and dLocal's former documentation demands the payer's address in India, which Sluice does
 * not ask for. Nequi, Khipu and the Argentine code are named by dLocal, but no page that was read shows their ids.
 */
export const PAYMENT_ROWS: Readonly<Record<string, PaymentRow>> = {
  BR_PIX: row("PQ", "BRL", "docs", "guides", "wikimedia"),
  BR_BOLETO: row("BL", "BRL", "docs", "former", "wikimedia"),
  MX_SPEI: row("SE", "MXN", "docs", "former", "wikimedia"),
  MX_CODI: row("CQ", "MXN", "unverified", "wikimedia"),
  MX_OXXO: row("OX", "MXN", "docs", "guides", "wikimedia"),
  CO_PSE: row("PC", "COP", "docs", "guides", "wikimedia"),
  CO_NEQUI: row(null, "COP", "unverified", "guides"),
  CL_WEBPAY: row("WP", "CLP", "docs", "former", "wikimedia"),
  CL_KHIPU: row(null, "CLP", "unverified", "guides"),
  PE_YAPE: row("YP", "PEN", "unverified", "guides", "wikimedia"),
  PE_PAGOEFECTIVO: row("EF", "PEN", "docs", "former", "wikimedia"),
  AR_TRANSFER_QR: row(null, "ARS", "unverified", "guides"),
  AR_CVU: row("IO", "ARS", "unverified", "former"),
  IN_UPI_QR: row("UI", "INR", "unverified", "former", "wikimedia"),
  IN_NETBANKING: row("NB", "INR", "unverified", "former", "wikimedia"),
};

/** "amount decimals" of dLocal's pages of countries, where they differ from ISO 4217: `COP` has none. */
export const EXPONENTS: Readonly<Record<string, number>> = { COP: 0 };

type PaymentMeaning = "open" | "succeeded" | "declined" | "cancelled" | "expired" | "judge";

/**
 * What the status of a payment means. `open`: the payer can still pay. `judge`: a state of card payments, which the adapter
 * never makes. `EXPIRED` is missing in the present list of statuses and was in the former one; now such payments are
 * CANCELLED.
 */
export const PAYMENT_STATUSES: Readonly<
  Record<string, { readonly meaning: PaymentMeaning; readonly code: number; readonly source: RowSource }>
> = {
  PENDING: { meaning: "open", code: 100, source: "docs" },
  PAID: { meaning: "succeeded", code: 200, source: "docs" },
  REJECTED: { meaning: "declined", code: 300, source: "docs" },
  CANCELLED: { meaning: "cancelled", code: 400, source: "docs" },
  EXPIRED: { meaning: "expired", code: 500, source: "docs" },
  AUTHORIZED: { meaning: "judge", code: 600, source: "docs" },
  VERIFIED: { meaning: "judge", code: 700, source: "docs" },
};

/** Why a payment was rejected, by its status code: dLocal's list, as far as it was read. For staff; 300 names no reason. */
export const REJECTIONS: Readonly<Record<string, string>> = {
  301: "rejected by bank",
  302: "insufficient amount",
  303: "card blacklisted",
  304: "score validation",
  305: "max attempts reached",
  306: "call bank for authorize",
  307: "duplicated payment",
  308: "credit card disabled",
  309: "card expired",
  310: "card reported lost",
  311: "card requested by the bank",
  312: "card restricted by the bank",
  313: "card reported stolen",
  314: "invalid card number",
  315: "invalid security code",
  316: "unsupported operation",
  317: "rejected due to high risk",
  318: "invalid transaction",
  319: "amount exceeded",
  320: "3D-Secure is required",
  321: "error in acquirer",
  322: "wallet disabled",
  323: "invalid user account",
  324: "invalid PIN",
  325: "transaction frequency limit exceeded",
};

type ErrorMeaning =
  | "refused"
  | "payer_refused"
  | "not_found"
  | "wrong_key"
  /** The outcome is open. */
  | "open";

/**
 * dLocal's errors: the HTTP status, the code, and what it proves. `refused` and `payer_refused` say that the call created
 * nothing. 5000 is also the answer to a wrong signature. 5010 is a method that is not available, and was a time-out with the
 * same status before: it proves nothing.
 */
export const ERRORS: readonly {
  readonly status: number;
  readonly code: number;
  readonly meaning: ErrorMeaning;
  readonly source: RowSource;
}[] = [
  { status: 403, code: 3001, meaning: "wrong_key", source: "docs" },
  { status: 403, code: 3002, meaning: "wrong_key", source: "docs" },
  { status: 403, code: 3003, meaning: "wrong_key", source: "docs" },
  { status: 404, code: 4000, meaning: "not_found", source: "docs" },
  { status: 400, code: 5000, meaning: "open", source: "docs" },
  { status: 400, code: 5001, meaning: "refused", source: "docs" },
  { status: 400, code: 5002, meaning: "open", source: "docs" },
  { status: 400, code: 5003, meaning: "refused", source: "docs" },
  { status: 400, code: 5004, meaning: "refused", source: "docs" },
  { status: 400, code: 5005, meaning: "payer_refused", source: "docs" },
  { status: 400, code: 5006, meaning: "payer_refused", source: "docs" },
  { status: 400, code: 5007, meaning: "refused", source: "docs" },
  { status: 400, code: 5008, meaning: "open", source: "docs" },
  { status: 400, code: 5009, meaning: "open", source: "docs" },
  { status: 400, code: 5010, meaning: "open", source: "docs" },
  { status: 400, code: 5011, meaning: "open", source: "docs" },
  { status: 400, code: 5013, meaning: "open", source: "docs" },
  { status: 400, code: 5014, meaning: "payer_refused", source: "docs" },
  { status: 400, code: 5016, meaning: "refused", source: "docs" },
  { status: 400, code: 5017, meaning: "open", source: "docs" },
  { status: 400, code: 5018, meaning: "open", source: "docs" },
  { status: 400, code: 5021, meaning: "open", source: "docs" },
  { status: 429, code: 6000, meaning: "open", source: "docs" },
  { status: 500, code: 7000, meaning: "open", source: "docs" },
  { status: 504, code: 5010, meaning: "open", source: "docs" },
];

/** The calls that the adapter makes, by name: all others would be a change of this file. */
export const CALLS = {
  createPayment: { method: "POST", path: "/payments" },
  readPayment: { method: "GET", path: "/payments/{id}" },
  readOrder: { method: "GET", path: "/orders/{order_id}" },
  paymentMethods: { method: "GET", path: "/payments-methods" },
} as const;
