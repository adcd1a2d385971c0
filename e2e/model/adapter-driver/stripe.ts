// Stripe as the driver plays it: the hostile fake, whose books the facts of a history change.
import { StripeAccount } from "../../support/fake-stripe/book";
import { CANCELLED, type Intent } from "../../support/fake-stripe/objects";
import { FakeStripe } from "../../support/fake-stripe/server";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { CreationCourse, Fact, QueryCourse } from "../world/history";
import { sumOf } from "../world/payment-provider";
import type { AdaptedProvider, Heard, Scene, Wanted, Webhook } from "./adapted";
import { readingCallsFor } from "./called-account";
import { StripeReader } from "./stripe-reader";

const KEY = `sk_live_${"0123456789".repeat(3)}`;
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const OTHER_SECRET = "whsec_ffffffffffffffffffffffffffffffff";
const OWNER = { id: "acct_1OurAccount", livemode: true };
const CONNECTED = { id: "acct_1Merchant", livemode: true };
const OTHERS = "acct_1AnotherMerchant";
/** A payment by code is a PaymentIntent; one on a page is a Checkout Session, with a PaymentIntent once the payer acts. */
const WANTED = {
  code: { currency: "BRL", country: "BR", amount: 105_000n, method: "BR_PIX" },
  page: { currency: "EUR", country: "NL", amount: 105_000n, method: "NL_IDEAL" },
} satisfies Record<string, Wanted>;
const PATHS = { code: "payment_intents", page: "checkout.sessions" };

type Fault = Parameters<FakeStripe["spoil"]>[1];

/** What Stripe does in each course of a creation. It sends nothing before the creation. It answers immediately or never. */
const CREATION_FAULTS: Readonly<Record<CreationCourse, Fault | null>> = {
  answered: null,
  answer_lost: "lost_answer",
  answer_late: "stored_error",
  garbled: "html",
  request_lost: "lost_request",
  unsent: "lost_request",
  not_accepted: "refused",
  declined: "declined",
};
const QUERY_FAULTS: Readonly<Record<QueryCourse, Fault | null>> = {
  current: null,
  lagging: "empty_list",
  silent: "lost_answer",
  garbled: "html",
  late: "no_route",
};
const STATUSES: Readonly<Record<string, Intent["status"]>> = {
  payer_acts: "processing",
  payer_cancels: CANCELLED,
  give_up: CANCELLED,
  restore: "requires_action",
};

class StripeScene implements Scene {
  readonly #fake: FakeStripe;
  readonly #account: StripeAccount;
  readonly #by: keyof typeof WANTED;
  readonly #reader: StripeReader;
  #reference = "";
  /** The money that has arrived. */
  #money: number | null = null;
  readonly isSettled = false;

  constructor(fake: FakeStripe, account: StripeAccount, by: keyof typeof WANTED) {
    this.#fake = fake;
    this.#account = account;
    this.#by = by;
    this.#reader = new StripeReader(WANTED[by], by === "page");
    const subAccount = this.#isConnected ? account.owner.id : null;
    const isProof = ({ path }: SeenCall) => path === "/v1/account";
    fake.watch = readingCallsFor({ header: "stripe-account", subAccount, isProof }, this.#reader);
  }

  get #isConnected(): boolean {
    return this.#account.owner.id === CONNECTED.id;
  }

  listen(listener: (heard: Heard) => void, isOver: () => boolean): void {
    this.#reader.listener = listener;
    this.#reader.isOver = isOver;
  }

  get wrongRequests(): readonly string[] {
    return this.#reader.wrongRequests;
  }

  named(reference: string): void {
    this.#reference = reference;
  }

  prepare(creation: CreationCourse, query: QueryCourse): void {
    this.#fake.clear();
    const [atCreation, atQuery] = [CREATION_FAULTS[creation], QUERY_FAULTS[query]];
    const { [this.#by]: path } = PATHS;
    if (atCreation) this.#fake.spoil(new RegExp(`POST .v1.${path}$`), atCreation);
    if (atQuery) this.#fake.spoil(new RegExp(`GET .v1.${path}${query === "lagging" ? "\\?" : ""}`), atQuery);
  }

  happen(fact: Fact): boolean {
    if (!this.isKnown) return false;
    if (fact.fact === "forget") {
      this.#account.intents.length = 0;
      this.#account.sessions.length = 0;
      this.#account.forgetKeys();
      return true;
    }
    if (fact.fact === "pay") return (this.#money ?? fact.money) === fact.money && this.#pay(fact, this.#money !== null);
    if (fact.fact === "correct") return this.#money === fact.money && this.#pay(fact, false);
    const { [fact.fact]: status } = STATUSES;
    if (fact.fact === "restore") return this.#intent !== null && this.#become("requires_action");
    if (this.#money !== null) return false;
    if (fact.fact === "decline") return this.#fail();
    const [session] = this.#account.sessions;
    if (status === CANCELLED && session?.status === "open") return this.#account.expire(session).status === "expired";
    return status !== undefined && this.#become(status);
  }

  webhook(): Webhook | null {
    const object = this.#account.sessions[0] ?? this.#account.intents[0];
    if (!object) return null;
    this.#fake.announce(this.#account, "brand.new", { metadata: object.metadata, status: "succeeded" });
    return FakeStripe.webhook(this.#fake.outbox.pop() ?? {}, SECRET);
  }

  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook {
    this.#fake.announce(this.#account, "payment_intent.succeeded", {});
    const event = this.#fake.outbox.pop();
    if (flaw === "not_json") return FakeStripe.signed(`event=${event?.id}`, SECRET);
    if (flaw === "unreadable") return FakeStripe.webhook({ ...event, data: null }, SECRET);
    // A webhook of another account that names our reference.
    if (this.#isConnected) {
      const metadata = { sluice_reference: this.#reference };
      return FakeStripe.webhook({ ...event, account: OTHERS, data: { object: { metadata } } }, SECRET);
    }
    const last = this.#reference.endsWith("0") ? "1" : "0";
    const metadata = { sluice_reference: this.#reference.slice(0, -1) + last };
    return FakeStripe.webhook({ ...event, data: { object: { metadata } } }, SECRET);
  }

  forged(): Webhook {
    const { body, headers } = this.flawed("unmatched");
    const { headers: other } = FakeStripe.signed(body, OTHER_SECRET);
    headers.set("stripe-signature", other.get("stripe-signature") ?? "");
    return { body, headers };
  }

  executions(): number {
    return this.#by === "page" ? this.#account.sessions.length : this.#account.intents.length;
  }

  get isKnown(): boolean {
    return this.executions() > 0;
  }

  /** Null while the payer of a page has not acted. */
  get #intent(): Intent | null {
    return this.#account.intents[0] ?? null;
  }

  #become(status: Intent["status"]): boolean {
    const [session] = this.#account.sessions;
    if (this.#intent) Object.assign(this.#intent, { status });
    else if (session?.status === "open") this.#account.choose(session, status);
    else return false;
    return true;
  }

  #fail(): boolean {
    if (this.#intent?.status === CANCELLED || !this.#become("requires_action")) return false;
    if (this.#intent) this.#account.fail(this.#intent);
    return true;
  }

  #pay({ money, sum }: Extract<Fact, { fact: "pay" | "correct" }>, isAgain: boolean): boolean {
    if (!this.#become("succeeded")) return false;
    this.#money = money;
    if (isAgain) return true;
    const { amount, currency } = sumOf(sum, { ...WANTED[this.#by], expiresAt: 0 });
    Object.assign(this.#intent ?? {}, { amount_received: Number(amount), currency: currency.toLowerCase() });
    return true;
  }
}

/** Starts the fake; each scene has an account of its own with the same key. */
async function start(by: keyof typeof WANTED, isConnected = false): Promise<AdaptedProvider> {
  const fake = await FakeStripe.start();
  return {
    name: "stripe",
    cancels: true,
    entry: (merchantId) => {
      const account = { account: OWNER.id, secret_key: KEY, webhook_secrets: [SECRET] };
      const more = isConnected ? { sub_accounts: { [merchantId]: CONNECTED.id } } : {};
      return { name: "stripe", type: "stripe", ...account, ...more, url: fake.url };
    },
    wanted: () => WANTED[by],
    scene: () => {
      const own = fake.open(KEY, new StripeAccount(OWNER));
      return new StripeScene(fake, isConnected ? fake.openSubAccount(KEY, CONNECTED.id, CONNECTED) : own, by);
    },
    stop: () => fake.stop(),
  };
}

export const startStripeCodes = () => start("code");
export const startStripeConnect = () => start("code", true);
export const startStripePages = () => start("page");
