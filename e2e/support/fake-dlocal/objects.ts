// dLocal's objects with the members of its published examples and of the answers that Wikimedia has recorded.
import { randomUUID } from "node:crypto";

export type Body = Readonly<Record<string, unknown>>;

/** Who an account belongs to, and what proves it. */
export interface Owner {
  readonly login: string;
  readonly transKey: string;
  readonly secretKey: string;
}

export interface Payment {
  readonly id: string;
  readonly country: string;
  readonly payment_method_id: string;
  readonly payment_method_type: string;
  readonly payment_method_flow: string;
  readonly payer: unknown;
  readonly order_id: string;
  readonly callback_url: unknown;
  readonly created_date: string;
  readonly redirect_url: string;
  amount: number;
  currency: string;
  status: string;
  status_code: string;
  status_detail: string;
  refunds: object[];
}

/** The codes and texts of statuses, from dLocal's page about them. */
export const STATUSES: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  PENDING: ["100", "The payment is pending."],
  PAID: ["200", "The payment was paid."],
  REJECTED: ["300", "The payment was rejected."],
  CANCELLED: ["400", "The payment was cancelled."],
  EXPIRED: ["500", "The payment was expired."],
  AUTHORIZED: ["600", "The payment was authorized."],
  VERIFIED: ["700", "The payment was verified."],
};

/** The members of a payment that say its status. */
export function statusMembers(status: string): Pick<Payment, "status" | "status_code" | "status_detail"> {
  const [status_code, status_detail] = STATUSES[status] ?? ["900", "Something else."];
  return { status, status_code, status_detail };
}

/** The types of the methods that the fake has, by country. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AR: { IO: "BANK_TRANSFER", RP: "TICKET" },
  BR: { PQ: "TICKET", BL: "TICKET" },
  CL: { WP: "BANK_TRANSFER" },
  CO: { PC: "BANK_TRANSFER", EY: "TICKET", NX: "WALLET" },
  IN: { NB: "BANK_TRANSFER", UI: "BANK_TRANSFER" },
  MX: { OX: "TICKET", SE: "BANK_TRANSFER", CQ: "BANK_TRANSFER" },
  PE: { EF: "TICKET", YP: "WALLET" },
};

export function newPayment(body: Body): Payment {
  const id = `R-648-${randomUUID()}`;
  const [country, method] = [String(body["country"]), String(body["payment_method_id"])];
  return {
    id,
    amount: Number(body["amount"]),
    currency: String(body["currency"]),
    country,
    payment_method_id: method,
    payment_method_type: METHODS[country]?.[method] ?? "",
    payment_method_flow: "REDIRECT",
    payer: body["payer"],
    created_date: new Date().toISOString().replace("Z", "+0000"),
    ...statusMembers("PENDING"),
    order_id: String(body["order_id"]),
    callback_url: body["callback_url"],
    redirect_url: `https://pay.dlocal.example/gmf-apm/payments/M-${id.slice(6)}`,
    refunds: [],
  };
}

/** A payment as a call or notification shows it: the page only where it is shown, refunds only in polls. */
export function shownPayment(
  payment: Payment,
  moment: "creation" | "poll" | "notification",
  showsPage: boolean,
): object {
  const { redirect_url, refunds, payer, ...members } = payment;
  if (moment === "creation") return { ...members, redirect_url };
  if (moment === "notification") return { ...members, payer };
  return { ...members, refunds, ...(showsPage ? { redirect_url } : {}) };
}

/** The order of a payment, as dLocal's example shows it. */
export function orderOf({ id, order_id, amount, currency, created_date, ...payment }: Payment): object {
  const { status, status_code, status_detail } = payment;
  return { order_id, payment_id: id, currency, amount, created_date, status, status_code, status_detail };
}
