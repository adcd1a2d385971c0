// Xendit's objects with every member that the SDK's types require, written from those types and Xendit's documentation.
import { randomBytes, randomUUID } from "node:crypto";
import type { PaymentRequestStatus } from "xendit-node/payment_request/models";

/** The status of a payment request that was cancelled, as Xendit spells it. */
export const CANCELLED = "CANCELED" satisfies PaymentRequestStatus;

export type Body = Readonly<Record<string, unknown>>;

/** The business that the objects belong to. */
export interface Owner {
  readonly business_id: string;
}

export interface PaymentRequest {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly reference_id: string;
  readonly business_id: string;
  readonly country: string;
  readonly metadata: unknown;
  payment_method: object;
  currency: string;
  amount: number;
  status: string;
  failure_code: string | null;
  actions: object[];
}

export interface Payout {
  readonly created: string;
  readonly updated: string;
  readonly reference_id: string;
  readonly business_id: string;
  readonly channel_code: string;
  readonly channel_properties: unknown;
  id: string;
  currency: string;
  amount: number;
  status: string;
  failure_code?: string;
}

const COUNTRIES: Readonly<Record<string, string>> = { IDR: "ID", PHP: "PH", VND: "VN", THB: "TH", MYR: "MY" };

/** Members of a payment method by its type: what the payer is shown comes back in the channel's properties. */
const INSTRUMENTS: Readonly<Record<string, string>> = {
  QR_CODE: "qr_code",
  VIRTUAL_ACCOUNT: "virtual_account",
  EWALLET: "ewallet",
};

/** What the payer is shown, by the type of the payment method. */
function shown(type: string): object {
  if (type === "QR_CODE") return { qr_string: `000201010212${randomBytes(20).toString("hex").toUpperCase()}6304ABCD` };
  if (type === "VIRTUAL_ACCOUNT") return { virtual_account_number: `38165${randomBytes(4).readUInt32BE()}` };
  return {};
}

function authorizing(id: string): object[] {
  const page = { action: "AUTH", method: "GET", qr_code: null };
  return [
    { ...page, url_type: "DEEPLINK", url: `dana://pay?id=${id}` },
    { ...page, url_type: "MOBILE", url: `https://mobile.checkout.example/${id}` },
    { ...page, url_type: "WEB", url: `https://checkout.example/${id}` },
  ];
}

/** A payment request as it is created; the status of one by code or account is not documented. */
export function newPaymentRequest(owner: Owner, body: Body, codeStatus: string): PaymentRequest {
  const { type = "", reusability, ...instruments } = body["payment_method"] as { readonly type?: string } & Body;
  const member = INSTRUMENTS[type] ?? "";
  const { channel_code, channel_properties } = instruments[member] as Body;
  const id = `pr-${randomUUID()}`;
  const now = new Date().toISOString();
  const absent = { card: null, direct_debit: null, over_the_counter: null };
  const channel = { channel_code, channel_properties: { ...(channel_properties as object), ...shown(type) } };
  const currency = String(body["currency"]);
  return {
    ...owner,
    id,
    created: now,
    updated: now,
    reference_id: String(body["reference_id"]),
    country: COUNTRIES[currency] ?? "",
    currency,
    amount: Number(body["amount"]),
    status: type === "EWALLET" ? "REQUIRES_ACTION" : codeStatus,
    failure_code: null,
    metadata: body["metadata"] ?? null,
    payment_method: {
      ...absent,
      qr_code: null,
      virtual_account: null,
      ewallet: null,
      id: `pm-${randomUUID()}`,
      type,
      reusability,
      reference_id: randomUUID(),
      status: "ACTIVE",
      [member]: channel,
    },
    actions: type === "EWALLET" ? authorizing(id) : [],
  };
}

export function newPayout(owner: Owner, body: Body): Payout {
  const now = new Date().toISOString();
  return {
    ...owner,
    id: `disb-${randomUUID()}`,
    created: now,
    updated: now,
    reference_id: String(body["reference_id"]),
    channel_code: String(body["channel_code"]),
    channel_properties: body["channel_properties"],
    currency: String(body["currency"]),
    amount: Number(body["amount"]),
    status: "ACCEPTED",
  };
}
