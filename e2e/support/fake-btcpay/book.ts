// The fake BTCPay's books: one store with its invoices, keys with permissions, and how payments move an invoice.
import { type Body, type Invoice, newInvoice, newPayment, type Payment } from "./objects";

/** An error as BTCPay answers it. */
export class BtcpayError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Faults of a request: the server answers 422, where its document says 400. */
export class BtcpayFaults extends Error {
  constructor(readonly path: string) {
    super(`The field ${path} is invalid`);
  }
}

export interface Owner {
  readonly storeId: string;
  readonly permissions?: readonly string[];
  readonly chain?: "main" | "test";
}

const ALL = ["btcpay.store.cancreateinvoice", "btcpay.store.canviewinvoices", "btcpay.store.canviewstoresettings"];
const METHODS = ["BTC-CHAIN", "USDt-CHAIN"];
const SCALE = 8;

function units(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0").slice(0, SCALE));
}

/** A store as one key sees it; two keys of a store share its invoices. */
export class BtcpayStore {
  readonly invoices: Invoice[] = [];
  /** Payment methods that are enabled. */
  enabled: readonly string[] = METHODS;
  rates: Readonly<Record<string, string | null>> = { BTC_EUR: "64392.2345678", USDT_BRL: "5.000000" };
  permissions: readonly string[];
  readonly chain: "main" | "test";
  /** True if strangers may create invoices. */
  isOpen = false;

  constructor(readonly owner: Owner) {
    this.permissions = owner.permissions ?? ALL.map((name) => `${name}:${owner.storeId}`);
    this.chain = owner.chain ?? "test";
  }

  /** Throws as BTCPay does if the key may not do this in the store. */
  require(permission: string, storeId: string): void {
    const names = [permission, "unrestricted"];
    const isAllowed = names.some(
      (one) => this.permissions.includes(one) || this.permissions.includes(`${one}:${storeId}`),
    );
    if (!isAllowed || storeId !== this.owner.storeId) {
      throw new BtcpayError(
        403,
        "missing-permission",
        `Insufficient API Permissions. Please use a key with ${permission}`,
      );
    }
  }

  create(body: Body): Invoice {
    const { amount, currency, checkout } = body as { readonly amount?: unknown; readonly currency?: unknown } & Body;
    const { paymentMethods, expirationMinutes } = (checkout ?? {}) as Body;
    if (typeof amount !== "string" || !/^\d+(\.\d+)?$/.test(amount)) throw new BtcpayFaults("amount");
    if (typeof currency !== "string") throw new BtcpayFaults("currency");
    const methods = (paymentMethods ?? []) as readonly string[];
    if (methods.length === 0 || methods.some((one) => !METHODS.includes(one))) throw new BtcpayFaults("paymentMethods");
    if (!Number.isInteger(expirationMinutes) || Number(expirationMinutes) < 1)
      throw new BtcpayFaults("expirationMinutes");
    if (!methods.some((one) => this.enabled.includes(one))) {
      throw new BtcpayError(400, "generic-error", "Error retrieving a matching payment method or rate.");
    }
    const invoice = newInvoice(this.owner.storeId, body, this.chain);
    this.invoices.push(invoice);
    return invoice;
  }

  /** The oldest invoice of our reference. */
  find(orderId: string): Invoice {
    const found = this.invoices.find(({ metadata }) => metadata["orderId"] === orderId);
    if (!found) throw new Error(`BTCPay has no invoice for ${orderId}`);
    return found;
  }

  /** The payer sends a sum to the address of an invoice. */
  pay(invoice: Invoice, value: string): Payment {
    const [method] = invoice.methods;
    if (!method) throw new Error("the invoice has no payment method");
    const payment = newPayment(value, method.destination, Math.floor(Date.now() / 1_000));
    method.payments.push(payment);
    this.update(invoice);
    return payment;
  }

  /** Payments of an invoice, or the given one, have enough confirmations. */
  confirm(invoice: Invoice, ...payments: readonly Payment[]): void {
    const chosen = payments.length > 0 ? payments : this.payments(invoice);
    for (const payment of chosen) if (payment.status === "Processing") payment.status = "Settled";
    this.update(invoice);
  }

  /** The chain is reorganized, or the payer replaces the payment. */
  drop(invoice: Invoice, payment: Payment): void {
    payment.status = "Invalid";
    this.update(invoice);
  }

  expire(invoice: Invoice): void {
    if (invoice.status === "New") invoice.status = "Expired";
    this.update(invoice);
  }

  payments({ methods }: Invoice): Payment[] {
    return methods.flatMap(({ payments }) => payments);
  }

  /** The rules of BTCPay's watcher of invoices. */
  update(invoice: Invoice): void {
    const counted = this.payments(invoice).filter(({ status }) => status !== "Invalid");
    const sum = (some: readonly Payment[]) => some.reduce((total, { value }) => total + units(value), 0n);
    const [paid, settled, asked] = [
      sum(counted),
      sum(counted.filter(({ status }) => status === "Settled")),
      units(invoice.amount),
    ];
    const partial = counted.length > 0 ? "PaidPartial" : "None";
    if (invoice.status === "New" || invoice.status === "Expired") {
      if (paid >= asked && invoice.status === "New") invoice.status = "Processing";
      else if (paid >= asked) invoice.additionalStatus = "PaidLate";
      else if (counted.length > 0) invoice.additionalStatus = "PaidPartial";
    }
    if (invoice.status !== "Processing") return;
    invoice.additionalStatus = paid > asked ? "PaidOver" : "None";
    if (paid < asked) Object.assign(invoice, { status: "New", additionalStatus: partial });
    else if (settled >= asked) invoice.status = "Settled";
  }
}
