// A hostile fake of BTCPay Server's Greenfield API: several keys and stores, invoices without idempotency, and webhooks that a
// test delivers in any order.
import { createHmac, randomBytes } from "node:crypto";
import { ProviderWithAccounts } from "../hostile-provider/accounts";
import type { Reply, Request } from "../hostile-provider/server";
import { BtcpayError, BtcpayFaults, BtcpayStore, type Owner } from "./book";
import { type Body, type Invoice, type Payment, shownInvoice, shownMethods } from "./objects";

/**
 * `refused`: nothing was created. `not_found`: of a known invoice. `no_route`: of the address. `empty_list`: of a store that
 * has lost its invoices. `unfiltered`: a list that ignores the reference. `stale`: the answer of a replica that has only seen
 * the creation.
 */
type BtcpayFault = "refused" | "not_found" | "no_route" | "forbidden" | "empty_list" | "unfiltered" | "stale";

interface Event {
  readonly type: string;
  readonly storeId: string;
  readonly invoiceId: string;
  readonly metadata: Body;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly originalDeliveryId: string | null;
  readonly isRedelivery: boolean;
  readonly timestamp: number;
}

const NOT_FOUND = new BtcpayError(404, "invoice-not-found", "The invoice was not found");
const NO_ROUTE = new BtcpayError(404, "not-found", "Not found");
const UNAUTHENTICATED = new BtcpayError(
  401,
  "unauthenticated",
  "Authentication is required for accessing this endpoint",
);
const VIEW = "btcpay.store.canviewinvoices";
const SETTINGS = "btcpay.store.canviewstoresettings";

function replyOf(error: unknown): Reply {
  if (error instanceof BtcpayFaults) return [422, [{ path: error.path, message: error.message }]];
  if (error instanceof BtcpayError) return [error.status, { code: error.code, message: error.message }];
  throw error;
}

export class FakeBtcpay extends ProviderWithAccounts<BtcpayStore, Owner, Event, BtcpayFault> {
  constructor() {
    super(BtcpayStore);
  }

  /** Starts on a free port of 127.0.0.1. */
  static start(): Promise<FakeBtcpay> {
    return new FakeBtcpay().listen();
  }

  /** The payer sends a sum, by default the whole one; `confirmed`: and the chain has confirmed it. */
  pay(store: BtcpayStore, invoice: Invoice, value = invoice.amount, confirmed = true): Payment {
    const payment = store.pay(invoice, value);
    this.announce(invoice, "InvoiceReceivedPayment");
    if (confirmed) this.confirm(store, invoice);
    return payment;
  }

  confirm(store: BtcpayStore, invoice: Invoice): void {
    store.confirm(invoice);
    this.announce(invoice, "InvoicePaymentSettled");
    if (invoice.status === "Settled") this.announce(invoice, "InvoiceSettled");
  }

  expire(store: BtcpayStore, invoice: Invoice): void {
    store.expire(invoice);
    this.announce(invoice, "InvoiceExpired");
  }

  /** Puts an event into the outbox. */
  announce({ storeId, id: invoiceId, metadata }: Invoice, type: string): void {
    const [deliveryId, webhookId] = [randomBytes(10).toString("hex"), "4oHZsWmsYgsQpqyAe6v7cS"];
    const timestamp = Math.floor(Date.now() / 1_000);
    const first = { deliveryId, webhookId, originalDeliveryId: deliveryId, isRedelivery: false, timestamp };
    this.outbox.push({ ...first, type, storeId, invoiceId, metadata });
  }

  /** The same event again: BTCPay gives a repeated delivery an id of its own. */
  static again<Sent extends { readonly deliveryId: string }>(event: Sent): Sent {
    return { ...event, deliveryId: randomBytes(10).toString("hex"), isRedelivery: true };
  }

  /** The signed webhook of an event, as BTCPay sends it. */
  static webhook(event: object, secret: string): { readonly headers: Headers; readonly body: string } {
    return FakeBtcpay.signed(JSON.stringify(event, null, 2), secret);
  }

  /** Any body with a signature. */
  static signed(body: string, secret: string): { readonly headers: Headers; readonly body: string } {
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    return { body, headers: new Headers({ "content-type": "application/json", "btcpay-sig": `sha256=${signature}` }) };
  }

  protected errorBody(): object {
    return { code: "generic-error", message: "An error occurred" };
  }

  protected misbehave(fault: BtcpayFault, request: Request, body: unknown): Reply {
    switch (fault) {
      case "refused":
        return replyOf(new BtcpayFaults("amount"));
      case "not_found":
        return replyOf(NOT_FOUND);
      case "no_route":
        return replyOf(NO_ROUTE);
      case "forbidden":
        return replyOf(new BtcpayError(403, "missing-permission", "Insufficient API Permissions"));
      case "empty_list":
        return [200, []];
      case "unfiltered":
        return this.execute({ ...request, path: request.path.replace(/orderId=[^&]*&?/, "") }, body);
      case "stale": {
        const [status, answer] = this.execute(request, body);
        return [status, asCreated(answer as readonly Body[])];
      }
    }
  }

  protected execute({ method, path, headers }: Request, body: unknown): Reply {
    const store = this.accountOf((headers.authorization ?? "").replace(/^token /, ""));
    if (!store) return replyOf(UNAUTHENTICATED);
    try {
      return [200, structuredClone(perform(store, method, new URL(path, "http://btcpay"), body as Body))];
    } catch (error) {
      return replyOf(error);
    }
  }
}

/** Invoices and payment methods as they were when the invoice was created. */
function asCreated(list: readonly Body[]): object[] {
  return list.map((one) =>
    one["payments"] ? { ...one, payments: [] } : { ...one, status: "New", additionalStatus: "None" },
  );
}

function perform(store: BtcpayStore, method: string, { pathname, searchParams }: URL, body: Body): object {
  const [, , , kind, id = "", part] = pathname.split("/").map(decodeURIComponent);
  switch (`${method} ${kind}/${part ?? ""}`) {
    case "GET api-keys/":
      return { apiKey: "hidden", label: "sluice", permissions: store.permissions };
    case "POST stores/invoices":
      store.require("btcpay.store.cancreateinvoice", id);
      return shownInvoice(store.create(body));
    case "GET stores/invoices":
      store.require(VIEW, id);
      return listOf(store, searchParams);
    case "GET invoices/payment-methods": {
      const invoice = store.invoices.find((one) => one.id === id);
      if (!invoice) throw NOT_FOUND;
      store.require(VIEW, invoice.storeId);
      return shownMethods(invoice, searchParams.get("onlyAccountedPayments") !== "false");
    }
    case "GET stores/rates":
      store.require(SETTINGS, id);
      return searchParams.getAll("currencyPair").map((currencyPair) => {
        const rate = store.rates[currencyPair] ?? null;
        return { currencyPair, errors: rate === null ? ["RateProviderUnavailable"] : [], ...(rate && { rate }) };
      });
    case "GET stores/":
      store.require(SETTINGS, id);
      return { id, name: "Sluice", anyoneCanCreateInvoice: store.isOpen };
    case "GET stores/payment-methods":
      store.require(SETTINGS, id);
      return ["BTC-CHAIN", "USDt-CHAIN"].map((paymentMethodId) => ({
        paymentMethodId,
        enabled: store.enabled.includes(paymentMethodId),
      }));
    default:
      throw NO_ROUTE;
  }
}

/** The newest first. Archived invoices are left out unless they are asked for. */
function listOf({ invoices }: BtcpayStore, searchParams: URLSearchParams): object[] {
  const orderId = searchParams.get("orderId");
  return invoices
    .filter(({ metadata }) => orderId === null || metadata["orderId"] === orderId)
    .filter(({ archived }) => !archived || searchParams.get("includeArchived") === "true")
    .slice(-Number(searchParams.get("take") ?? 50))
    .toReversed()
    .map(shownInvoice);
}
