// BTCPay Server as the driver plays it: the hostile fake, whose books the facts of a history change.
import { BtcpayStore } from "../../support/fake-btcpay/book";
import type { Invoice } from "../../support/fake-btcpay/objects";
import { FakeBtcpay } from "../../support/fake-btcpay/server";
import type { CreationCourse, Fact, History, QueryCourse, Terms } from "../world/history";
import type { AdaptedProvider, Heard, Scene, Wanted, Webhook } from "./adapted";
import { BtcpayReader } from "./btcpay-reader";

const KEY = "ab".repeat(20);
const STORE = "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776";
const SECRET = "s0123456789abcdef0123456789";
const OTHER_SECRET = "s9876543210fedcba9876543210";

/** 1,000.00 BRL for 200 USDT: with the spread of a history, the rate makes up for it. */
const WANTED: Wanted = {
  currency: "BRL",
  country: "BR",
  amount: 100_000n,
  method: null,
  source: { amount: 200_000_000n, currency: "USDT", network: "liquid" },
};
const RATES: Readonly<Record<Terms, string>> = { plain: "5.0", spread: "5.025", fee: "5.0" };

type Fault = Parameters<FakeBtcpay["spoil"]>[1];

/** What BTCPay does in each course of a creation. It answers immediately or never. */
const CREATION_FAULTS: Readonly<Record<CreationCourse, Fault | null>> = {
  answered: null,
  answer_lost: "lost_answer",
  answer_late: "error_after",
  garbled: "html",
  request_lost: "lost_request",
  unsent: "lost_request",
  not_accepted: "refused",
  declined: "refused",
};
const QUERY_FAULTS: Readonly<Record<QueryCourse, Fault | null>> = {
  current: null,
  lagging: null,
  silent: "lost_answer",
  garbled: "html",
  late: "forbidden",
};

class BtcpayScene implements Scene {
  readonly #fake: FakeBtcpay;
  readonly #store: BtcpayStore;
  readonly #reader: BtcpayReader;
  #reference = "";
  #webhooks = 0;
  readonly isSettled = false;

  constructor(fake: FakeBtcpay, store: BtcpayStore) {
    this.#fake = fake;
    this.#store = store;
    this.#reader = new BtcpayReader(WANTED.source ?? WANTED);
    fake.watch = (call) => this.#reader.read(call);
  }

  listen(listener: (heard: Heard) => void): void {
    this.#reader.listener = listener;
  }

  get wrongRequests(): readonly string[] {
    return this.#reader.wrongRequests;
  }

  named(reference: string): void {
    this.#reference = reference;
  }

  /** A list lags only before the service knows the invoice: afterwards a replica misses payments. */
  prepare(creation: CreationCourse, query: QueryCourse): void {
    this.#fake.clear();
    this.#reader.begin();
    const [atCreation, atQuery] = [CREATION_FAULTS[creation], QUERY_FAULTS[query]];
    if (atCreation) this.#fake.spoil(/POST .*invoices$/, atCreation);
    if (query === "lagging") this.#fake.spoil(/GET .*payment-methods/, "stale");
    if (atQuery) this.#fake.spoil(this.#webhooks % 2 === 0 ? /GET .*orderId=/ : /GET .*payment-methods/, atQuery);
  }

  happen(fact: Fact): boolean {
    const [invoice] = this.#store.invoices;
    if (!invoice) return false;
    switch (fact.fact) {
      case "forget":
        this.#store.invoices.length = 0;
        return true;
      case "give_up":
        this.#store.expire(invoice);
        return true;
      case "send":
        return fact.token === "asked" && this.#send(invoice, fact.percent);
      case "confirm":
        return this.#confirm(invoice, fact.extent === "all");
      case "drop":
        return this.#drop(invoice);
      default:
        return false;
    }
  }

  webhook(): Webhook | null {
    return this.isKnown ? this.#sent("InvoiceReceivedPayment", this.#reference) : null;
  }

  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook {
    this.#webhooks += 1;
    const name = `${this.#reference}-${this.#webhooks}`;
    if (flaw === "not_json") return FakeBtcpay.signed(`type=InvoiceSettled&name=${name}`, SECRET);
    if (flaw === "unreadable") return FakeBtcpay.webhook({ type: 7, deliveryId: name }, SECRET);
    const last = this.#reference.endsWith("0") ? "1" : "0";
    return this.#sent("InvoiceSettled", this.#reference.slice(0, -1) + last);
  }

  forged(): Webhook {
    return this.#sent("InvoiceSettled", this.#reference, OTHER_SECRET);
  }

  executions(): number {
    return this.#store.invoices.length;
  }

  get isKnown(): boolean {
    return this.#store.invoices.length > 0;
  }

  #sent(type: string, orderId: string, secret = SECRET): Webhook {
    this.#webhooks += 1;
    const deliveryId = `${orderId}-${this.#webhooks}`;
    const event = { deliveryId, originalDeliveryId: deliveryId, type, storeId: STORE, metadata: { orderId } };
    return FakeBtcpay.webhook(event, secret);
  }

  #send(invoice: Invoice, percent: number): boolean {
    const units = ((WANTED.source?.amount ?? 0n) * BigInt(percent)) / 100n;
    const text = units.toString().padStart(7, "0");
    this.#store.pay(invoice, `${text.slice(0, -6)}.${text.slice(-6)}`);
    return true;
  }

  #confirm(invoice: Invoice, isAll: boolean): boolean {
    const open = this.#store.payments(invoice).filter(({ status }) => status === "Processing");
    if (open.length === 0) return false;
    this.#store.confirm(invoice, ...(isAll ? open : open.slice(0, 1)));
    return true;
  }

  #drop(invoice: Invoice): boolean {
    const gone = this.#store.payments(invoice).findLast(({ status }) => status !== "Invalid");
    if (gone) this.#store.drop(invoice, gone);
    return gone !== undefined;
  }
}

/** Starts the fake; each scene has a store of its own with the same key. */
export async function startBtcpay(): Promise<AdaptedProvider> {
  const fake = await FakeBtcpay.start();
  return {
    name: "btcpay",
    cancels: false,
    entry: () => {
      const account = { account: STORE, secret_key: KEY, webhook_secrets: [SECRET] };
      const topups = [{ source: "USDT", destination: "BRL" }];
      return { name: "btcpay", type: "btcpay", ...account, topups, url: fake.url };
    },
    wanted: () => WANTED,
    scene({ terms }: History) {
      const store = fake.open(KEY, new BtcpayStore({ storeId: STORE, chain: "main" }));
      store.rates = { USDT_BRL: RATES[terms] };
      return new BtcpayScene(fake, store);
    },
    stop: () => fake.stop(),
  };
}
