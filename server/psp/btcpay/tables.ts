// What Sluice assumes about BTCPay Server, with the source of each row. `docs/providers/btcpay.md` explains the columns. Rows
// marked "openapi" are from the Greenfield API's document, rows marked "code" from the published source of the server, both at
// the commit in `DOCUMENT`.
import type { RowSource } from "../config/keyed-account";

/** The document that the tables were compared with: its templates are `BTCPayServer/wwwroot/swagger/v1` of the repository. */
export const DOCUMENT = {
  title: "BTCPay Greenfield API",
  version: "v1",
  commit: "03345c2886a58ea4d2f603cb6554b2e3f5d690a4",
} as const;

interface TopupRow {
  /** BTCPay compares it without regard to case. */
  readonly paymentMethod: string;
  readonly network: string;
  /** When BTCPay calls a payment settled: `LowSpeed` after six confirmations, `LowMediumSpeed` after two. */
  readonly speedPolicy: string;
  /** How addresses begin on test networks, and on the main one: a server of the wrong kind is noticed. */
  readonly testAddresses: RegExp;
  readonly mainAddresses: RegExp;
  readonly source: RowSource;
}

/** Tokens of top-ups. Two blocks of Liquid are final; Bitcoin has no such number. */
export const TOPUP_ROWS: Readonly<Record<string, TopupRow>> = {
  BTC: {
    paymentMethod: "BTC-CHAIN",
    network: "bitcoin",
    speedPolicy: "LowSpeed",
    testAddresses: /^(tb1|bcrt1|[mn2])/i,
    mainAddresses: /^(bc1|[13])/i,
    source: "openapi",
  },
  USDT: {
    paymentMethod: "USDt-CHAIN",
    network: "liquid",
    speedPolicy: "LowMediumSpeed",
    testAddresses: /^(tlq1|tex1|el1|ert1)/i,
    mainAddresses: /^(lq1|ex1)/i,
    source: "code",
  },
};

/**
 * What the status of an invoice means. `open`: the payer may pay. `paid`: nothing is left to pay. `over`: its time is over,
 * and it still counts payments. `judge`: a person acted, or payments did not confirm within the time of monitoring.
 */
export const INVOICE_STATUSES: Readonly<
  Record<string, { readonly meaning: "open" | "paid" | "over" | "judge"; readonly source: RowSource }>
> = {
  New: { meaning: "open", source: "openapi" },
  Processing: { meaning: "paid", source: "openapi" },
  Settled: { meaning: "paid", source: "openapi" },
  Expired: { meaning: "over", source: "openapi" },
  Invalid: { meaning: "judge", source: "openapi" },
};

/** What the additional status means. `payments`: the payments say it all. `judge`: a person marked the invoice. */
export const ADDITIONAL_STATUSES: Readonly<
  Record<string, { readonly meaning: "payments" | "judge"; readonly source: RowSource }>
> = {
  None: { meaning: "payments", source: "openapi" },
  PaidPartial: { meaning: "payments", source: "openapi" },
  PaidOver: { meaning: "payments", source: "openapi" },
  PaidLate: { meaning: "payments", source: "openapi" },
  Marked: { meaning: "judge", source: "openapi" },
  Invalid: { meaning: "judge", source: "openapi" },
};

/** What the status of one payment means. `gone`: it was replaced, or the chain was reorganized. */
export const PAYMENT_STATUSES: Readonly<
  Record<string, { readonly meaning: "seen" | "confirmed" | "gone"; readonly source: RowSource }>
> = {
  Processing: { meaning: "seen", source: "openapi" },
  Settled: { meaning: "confirmed", source: "openapi" },
  Invalid: { meaning: "gone", source: "openapi" },
};

/** Webhooks about invoices. `own`: the answer to our own call. */
export const INVOICE_EVENTS: Readonly<
  Record<string, { readonly meaning: "hint" | "own"; readonly source: RowSource }>
> = {
  InvoiceCreated: { meaning: "own", source: "openapi" },
  InvoiceReceivedPayment: { meaning: "hint", source: "openapi" },
  InvoicePaymentSettled: { meaning: "hint", source: "openapi" },
  InvoiceProcessing: { meaning: "hint", source: "openapi" },
  InvoiceExpired: { meaning: "hint", source: "openapi" },
  InvoiceSettled: { meaning: "hint", source: "openapi" },
  InvoiceInvalid: { meaning: "hint", source: "openapi" },
};

/**
 * Statuses by which BTCPay says that it created no invoice. The document names 400 for a list of faults, where the server
 * answers 422.
 */
export const REFUSALS: Readonly<Record<number, RowSource>> = { 400: "openapi", 422: "code" };

/** The calls that the adapter makes, by name: all others would be a change of this file. */
export const CALLS = {
  createInvoice: { method: "POST", path: "/api/v1/stores/{storeId}/invoices" },
  listInvoices: { method: "GET", path: "/api/v1/stores/{storeId}/invoices" },
  paymentMethods: { method: "GET", path: "/api/v1/invoices/{invoiceId}/payment-methods" },
  rates: { method: "GET", path: "/api/v1/stores/{storeId}/rates" },
  store: { method: "GET", path: "/api/v1/stores/{storeId}" },
  storeMethods: { method: "GET", path: "/api/v1/stores/{storeId}/payment-methods" },
  currentKey: { method: "GET", path: "/api/v1/api-keys/current" },
} as const;

/** The members that the adapter reads, by the schema of the document. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  InvoiceData: [
    "id",
    "storeId",
    "amount",
    "currency",
    "createdTime",
    "expirationTime",
    "status",
    "additionalStatus",
    "metadata",
  ],
  InvoicePaymentMethodDataModel: ["paymentMethodId", "destination", "payments"],
  Payment: ["id", "value", "status"],
  StoreRateResult: ["currencyPair", "rate", "errors"],
  GenericPaymentMethodData: ["paymentMethodId", "enabled"],
  ApiKeyData: ["permissions"],
  StoreData: ["id", "anyoneCanCreateInvoice"],
  WebhookInvoiceEvent: ["deliveryId", "originalDeliveryId", "type", "storeId", "metadata"],
};

/** Permissions of which one lets a key create invoices; the first is enough. */
export const CREATES_INVOICES: readonly string[] = [
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.canmodifystoresettings",
  "unrestricted",
];
