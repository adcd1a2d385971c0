// Paystack as the driver plays it: the hostile fake, whose books the facts of a history change.
import { Account } from "../../support/fake-paystack/book";
import { FakePaystack } from "../../support/fake-paystack/server";
import type { Asked, CreationCourse, Fact, History, Kind, QueryCourse } from "../world/history";
import { sumOf } from "../world/payment-provider";
import { type AdaptedProvider, type Heard, PAYEE, type Scene, type Wanted, type Webhook } from "./adapted";
import { PaystackReader } from "./paystack-reader";

const KEY = `sk_live_${"0123456789".repeat(4)}`;
const OTHER_KEY = `sk_live_${"5".repeat(40)}`;
type Fault = Parameters<FakePaystack["spoil"]>[1];

const AT_ANOTHER_BANK = {
  type: "nuban",
  name: "Someone Else",
  account_number: PAYEE.accountNumber,
  bank_code: "044",
};
const OWNER = { integration: 463_433, domain: "live" } as const;

/** What Paystack does in each course of a creation. It never refuses a payment for good. It answers immediately or never. */
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
  late: "no_route",
};

class PaystackScene implements Scene {
  readonly #kind: Kind;
  readonly #asked: Pick<Asked, "amount" | "currency">;
  readonly #reader: PaystackReader;
  #reference = "";
  /** True once something has happened since the creation that a late replica does not show. */
  #hasNews = false;
  #webhooks = 0;
  /** The money of a payment that has arrived. */
  #money: number | null = null;
  isSettled = false;

  constructor(
    private readonly fake: FakePaystack,
    private readonly account: Account,
    kind: Kind,
    { amount, currency }: Wanted,
  ) {
    this.#kind = kind;
    this.#asked = { amount, currency };
    this.#reader = new PaystackReader(account, kind, this.#asked);
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

  prepare(creation: CreationCourse, query: QueryCourse): void {
    this.fake.clear();
    const isPayout = this.#kind === "payout";
    const path = !isPayout
      ? /POST .transaction/
      : creation === "unsent"
        ? /POST .transferrecipient/
        : /POST .transfer$/;
    const [atCreation, atQuery] = [CREATION_FAULTS[creation], QUERY_FAULTS[query]];
    if (atCreation) this.fake.spoil(path, atCreation);
    if (query === "lagging") this.fake.spoil(/GET .*verify/, this.#hasNews ? "stale" : "not_found");
    if (atQuery) this.fake.spoil(/GET .*verify/, atQuery);
  }

  happen(fact: Fact): boolean {
    if (fact.fact === "forget" && this.isKnown) {
      this.account.transactions.clear();
      this.account.transfers.clear();
      return true;
    }
    const object = this.#object();
    if (!object) return false;
    if (fact.fact === "restore") return this.#change({ status: this.#firstStatus });
    return this.#kind === "payment" ? this.#payment(fact) : this.#payout(fact);
  }

  webhook(): Webhook | null {
    const object = this.#object();
    if (!object) return null;
    const event = this.#kind === "payment" ? "charge.success" : `transfer.${object.status}`;
    return this.#signed(event, { reference: object.reference, amount: 999_999_999, status: "success" });
  }

  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook {
    this.#webhooks += 1;
    const name = `${this.#reference}-${this.#webhooks}`;
    if (flaw === "not_json") return FakePaystack.signed(`event=charge.success&name=${name}`, KEY);
    if (flaw === "unreadable") return FakePaystack.signed(JSON.stringify({ event: 7, name }), KEY);
    const last = this.#reference.endsWith("0") ? "1" : "0";
    return this.#signed("transfer.success", { reference: this.#reference.slice(0, -1) + last });
  }

  forged(): Webhook {
    const data = { reference: this.#reference, status: "success" };
    return FakePaystack.webhook({ event: "transfer.success", data }, OTHER_KEY);
  }

  executions(): number {
    return this.account.executions.length;
  }

  get isKnown(): boolean {
    return this.#object() !== undefined;
  }

  get #firstStatus(): string {
    return this.#kind === "payment" ? "abandoned" : this.account.firstStatus;
  }

  #object() {
    const [transaction] = this.account.transactions.values();
    const [transfer] = this.account.transfers.values();
    return this.#kind === "payment" ? transaction : transfer;
  }

  #change(changes: object): boolean {
    this.#hasNews = true;
    Object.assign(this.#object() ?? {}, changes);
    return true;
  }

  #signed(event: string, data: object): Webhook {
    this.#webhooks += 1;
    return FakePaystack.webhook({ event, data: { ...data, at: this.#webhooks } }, KEY);
  }

  /** A transaction is paid once; its other statuses leave the page payable. */
  #payment(fact: Fact): boolean {
    const statuses: Readonly<Record<string, string>> = {
      instruct: "ongoing",
      payer_acts: "processing",
      decline: "failed",
      payer_cancels: "abandoned",
      give_up: "queued",
    };
    const status = statuses[fact.fact];
    if (status) return this.#money === null && this.#change({ status });
    const isPaid = fact.fact === "pay" && (this.#money ?? fact.money) === fact.money;
    const isCorrected = fact.fact === "correct" && this.#money === fact.money;
    if (!isPaid && !isCorrected) return false;
    const again = isPaid && this.#money !== null;
    this.#money = fact.money;
    return again ? this.#change({ status: "success" }) : this.#change({ status: "success", ...this.#sum(fact.sum) });
  }

  #payout(fact: Fact): boolean {
    switch (fact.fact) {
      case "settle":
        if (this.isSettled) return this.#change({ status: "success" });
        this.isSettled = true;
        return this.#change({ status: "success", ...this.#sum(fact.sum) });
      case "settle_again": {
        if (!this.isSettled) return false;
        const code = fact.reference === "other" ? { code: `TRF_other_${this.#reference}` } : {};
        return this.#change({ status: "success", ...this.#sum(fact.sum), ...code });
      }
      case "decline":
        return !this.isSettled && this.#change({ status: "failed" });
      case "reject_recipient":
        return !this.isSettled && this.#change({ status: "rejected" });
      case "return":
        return this.isSettled && this.#change({ status: "reversed" });
      default:
        return false;
    }
  }

  #sum(sum: Parameters<typeof sumOf>[0]): { amount: number; currency: string } {
    const { amount, currency } = sumOf(sum, { ...this.#asked, expiresAt: 0 });
    return { amount: Number(amount), currency };
  }
}

/** Starts the fake; each scene has an account of its own with the same key. */
export async function startPaystack(): Promise<AdaptedProvider> {
  const fake = await FakePaystack.start();
  const wanted = (kind: Kind): Wanted => ({
    currency: "NGN",
    country: "NG",
    amount: 105_000n,
    method: kind === "payment" ? "NG_USSD" : null,
  });
  return {
    name: "paystack",
    cancels: false,
    entry: () => ({ name: "paystack", type: "paystack", account: "463433", secret_key: KEY, url: fake.url }),
    wanted,
    scene({ kind, reusesId }: History) {
      const account = fake.open(KEY, new Account(OWNER));
      account.customers.push("earlier@example.com");
      // Paystack answers a known account number with the recipient that it has, which is then at another bank.
      if (reusesId) account.recipient(AT_ANOTHER_BANK);
      return new PaystackScene(fake, account, kind, wanted(kind));
    },
    stop: () => fake.stop(),
  };
}
