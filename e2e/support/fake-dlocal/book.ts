// The fake dLocal's books: one account in one environment, with its payments and its memory of keys.
import type { Reply } from "../hostile-provider/server";
import { type Body, METHODS, newPayment, type Owner, type Payment, shownPayment, statusMembers } from "./objects";

/** An error as dLocal answers it. */
export class DlocalError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly param?: string,
  ) {
    super(message);
  }
}

const missing = (name: string) => new DlocalError(400, 5001, `Missing parameter. ${name}`, name);

/** "amount decimals" of dLocal's pages of countries. */
const DIGITS: Readonly<Record<string, number>> = { ARS: 2, BRL: 2, CLP: 0, COP: 0, INR: 2, MXN: 2, PEN: 2 };
const CURRENCIES: Readonly<Record<string, string>> = {
  AR: "ARS",
  BR: "BRL",
  CL: "CLP",
  CO: "COP",
  IN: "INR",
  MX: "MXN",
  PE: "PEN",
};

export class DlocalAccount {
  readonly payments: Payment[] = [];
  /** No page of dLocal says what a repeated `X-Idempotency-Key` is answered: the first answer, or 5009. */
  replaysKeys = false;
  /** Polls of a payment show its page; dLocal's examples do not. */
  showsPages = false;
  /** The documents that dLocal refuses. */
  readonly blacklist = new Set<string>();
  readonly #keys = new Map<string, Reply>();

  constructor(readonly owner: Owner) {}

  /** The payments that were created. */
  executions(): number {
    return this.payments.length;
  }

  /** Creates a payment. `order_id` is taken for good; the key of a repeat can replay the first answer. */
  create(key: string | undefined, body: Body): Reply {
    const kept = key === undefined ? undefined : this.#keys.get(key);
    if (kept && this.replaysKeys) return kept;
    const { payer, country, currency, order_id, payment_method_id, payment_method_flow, callback_url } = body;
    for (const [name, value] of Object.entries({ country, currency, order_id, payment_method_id })) {
      if (typeof value !== "string" || value === "") throw missing(name);
    }
    if (payment_method_flow !== "REDIRECT") throw missing("payment_method_flow");
    if (typeof callback_url !== "string") throw missing("callback_url");
    const { name, email, document } = (payer ?? {}) as Body;
    for (const [member, value] of Object.entries({ name, email, document })) {
      if (typeof value !== "string" || value === "") throw missing(`payer.${member}`);
    }
    if (!/^[A-Za-z0-9]+$/.test(String(document)))
      throw new DlocalError(400, 5001, "Invalid parameter", "payer.document");
    if (this.blacklist.has(String(document))) throw new DlocalError(400, 5014, "User blacklisted");
    const methods = METHODS[String(country)];
    if (!methods) throw new DlocalError(400, 5003, "Country not supported");
    if (CURRENCIES[String(country)] !== currency) throw new DlocalError(400, 5004, "Currency not allowed");
    if (methods[String(payment_method_id)] === undefined) throw new DlocalError(400, 5010, "Method not available");
    this.#requireAmount(body["amount"], String(currency));
    if (this.payments.some((one) => one.order_id === order_id)) {
      throw new DlocalError(400, 5009, "Order ID is duplicated");
    }
    const payment = newPayment(body);
    this.payments.unshift(payment);
    const reply: Reply = [200, structuredClone(shownPayment(payment, "creation", true))];
    if (key !== undefined) this.#keys.set(key, reply);
    return reply;
  }

  #requireAmount(amount: unknown, currency: string): void {
    const [, fraction = ""] = /^\d+(?:\.(\d+))?$/.exec(String(amount)) ?? [];
    if (typeof amount !== "number" || amount <= 0) throw new DlocalError(400, 5016, "Amount too low");
    if (fraction.length > (DIGITS[currency] ?? 2)) throw new DlocalError(400, 5001, "Invalid parameter", "amount");
  }

  /** dLocal loses everything, as after a restore of its books. */
  forget(): void {
    this.payments.length = 0;
    this.#keys.clear();
  }

  byOrder(orderId: string): Payment {
    const found = this.payments.find((one) => one.order_id === orderId);
    if (!found) throw new DlocalError(404, 4000, "Payment not found");
    return found;
  }

  byId(id: string): Payment {
    const found = this.payments.find((one) => one.id === id);
    if (!found) throw new DlocalError(404, 4000, "Payment not found");
    return found;
  }

  /** The payment of our reference changes its status. */
  move(orderId: string, status: string, changes: Partial<Pick<Payment, "amount" | "currency">> = {}): Payment {
    return Object.assign(this.byOrder(orderId), statusMembers(status), changes);
  }
}
