// Xendit as the driver plays it: the hostile fake, whose books the facts of a history change.
import { XenditAccount } from "../../support/fake-xendit/book";
import { CANCELLED } from "../../support/fake-xendit/objects";
import { FakeXendit } from "../../support/fake-xendit/server";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { CreationCourse, Fact, History, Kind, QueryCourse } from "../world/history";
import { sumOf } from "../world/payment-provider";
import type { AdaptedProvider, Heard, Scene, Wanted, Webhook } from "./adapted";
import { readingCallsFor } from "./called-account";
import { CHANNEL, XenditReader } from "./xendit-reader";

const KEY = `xnd_production_${"0123456789".repeat(4)}`;
const TOKEN = "t0123456789abcdef0123456789";
const OTHER_TOKEN = "t9876543210fedcba9876543210";
const BUSINESS = "5f27a14a9bf05c73dd040bc8";
const SUB_ACCOUNT = "5f27a14a9bf05c73dd040b01";
const OTHERS = "5f27a14a9bf05c73dd040b02";
const METHODS = { code: "PH_QRPH", wallet: "PH_GCASH" };

type Fault = Parameters<FakeXendit["spoil"]>[1];

/** What Xendit does in each course of a creation. It sends nothing before the creation. It answers immediately or never. */
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
const STATUSES: Readonly<Record<string, string>> = {
  payer_acts: "PENDING",
  decline: "FAILED",
  payer_cancels: CANCELLED,
  give_up: "EXPIRED",
};

class XenditScene implements Scene {
  readonly #fake: FakeXendit;
  readonly #account: XenditAccount;
  readonly #kind: Kind;
  readonly #wanted: Wanted;
  readonly #reader: XenditReader;
  #reference = "";
  /** True once something has happened since the creation that a late replica does not show. */
  #hasNews = false;
  #webhooks = 0;
  /** The money of a payment that has arrived. */
  #money: number | null = null;
  isSettled = false;

  constructor(fake: FakeXendit, account: XenditAccount, kind: Kind, wanted: Wanted) {
    this.#fake = fake;
    this.#account = account;
    this.#kind = kind;
    this.#wanted = wanted;
    this.#reader = new XenditReader(kind, wanted, wanted.method === METHODS.wallet);
    const subAccount = this.#isSub ? SUB_ACCOUNT : null;
    const isProof = ({ path }: SeenCall) => path.endsWith("?limit=1");
    fake.watch = readingCallsFor({ header: "for-user-id", subAccount, isProof }, this.#reader);
  }

  get #isSub(): boolean {
    return this.#account.owner.business_id === SUB_ACCOUNT;
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
    this.#fake.clear();
    const path = this.#kind === "payment" ? "payment_requests" : "v2.payouts";
    const [atCreation, atQuery] = [CREATION_FAULTS[creation], QUERY_FAULTS[query]];
    if (atCreation) this.#fake.spoil(new RegExp(`POST .${path}$`), atCreation);
    if (query === "lagging") this.#fake.spoil(new RegExp(`GET .${path}.reference_id`), "empty_list");
    if (query === "lagging" && this.#hasNews) this.#fake.spoil(new RegExp(`GET .${path}/`), "stale");
    if (atQuery) this.#fake.spoil(new RegExp(`GET .${path}(.reference_id|/)`), atQuery);
  }

  happen(fact: Fact): boolean {
    if (fact.fact === "forget" && this.isKnown) {
      this.#account.requests.length = 0;
      this.#account.payouts.length = 0;
      this.#account.forgetKeys();
      return true;
    }
    if (!this.isKnown) return false;
    if (fact.fact === "restore") return this.#change({ status: this.#firstStatus });
    return this.#kind === "payment" ? this.#payment(fact) : this.#payout(fact);
  }

  webhook(): Webhook | null {
    if (!this.isKnown) return null;
    const event = this.#kind === "payment" ? "payment.succeeded" : "payout.succeeded";
    return this.#sent(event, { reference_id: this.#reference, amount: 999_999_999, status: "SUCCEEDED" });
  }

  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook {
    this.#webhooks += 1;
    const name = `${this.#reference}-${this.#webhooks}`;
    if (flaw === "not_json") return FakeXendit.sent(`event=payment.succeeded&name=${name}`, TOKEN);
    if (flaw === "unreadable") return FakeXendit.sent(JSON.stringify({ event: 7, name }), TOKEN);
    // A webhook of another account that names our reference.
    if (this.#isSub) return this.#sent("payout.succeeded", { reference_id: this.#reference }, OTHERS);
    const last = this.#reference.endsWith("0") ? "1" : "0";
    return this.#sent("payout.succeeded", { reference_id: this.#reference.slice(0, -1) + last });
  }

  forged(): Webhook {
    const data = { reference_id: this.#reference, status: "SUCCEEDED" };
    return FakeXendit.webhook({ event: "payout.succeeded", ...this.#account.owner, data }, OTHER_TOKEN);
  }

  executions(): number {
    return this.#kind === "payment" ? this.#account.requests.length : this.#account.executions.length;
  }

  get isKnown(): boolean {
    return this.#object() !== undefined;
  }

  get #firstStatus(): string {
    if (this.#kind === "payout") return "ACCEPTED";
    return this.#wanted.method === METHODS.wallet ? "REQUIRES_ACTION" : this.#account.codeStatus;
  }

  #object() {
    return this.#kind === "payment" ? this.#account.requests[0] : this.#account.payouts[0];
  }

  #change(changes: object): boolean {
    this.#hasNews = true;
    Object.assign(this.#object() ?? {}, changes);
    return true;
  }

  #sent(event: string, data: object, business_id = this.#account.owner.business_id): Webhook {
    this.#webhooks += 1;
    return FakeXendit.webhook({ event, business_id, data: { ...data, at: this.#webhooks } }, TOKEN);
  }

  /** A payment request takes one payment. */
  #payment(fact: Fact): boolean {
    const { [fact.fact]: status } = STATUSES;
    if (status) {
      const isOver = this.#money !== null;
      return !isOver && this.#change({ status, ...(status === "PENDING" ? { actions: [] } : {}) });
    }
    const isPaid = fact.fact === "pay" && (this.#money ?? fact.money) === fact.money;
    const isCorrected = fact.fact === "correct" && this.#money === fact.money;
    if (!isPaid && !isCorrected) return false;
    const again = isPaid && this.#money !== null;
    this.#money = fact.money;
    return this.#change({ status: "SUCCEEDED", ...(again ? {} : this.#sum(fact.sum)) });
  }

  #payout(fact: Fact): boolean {
    switch (fact.fact) {
      case "settle":
        if (this.isSettled) return this.#change({ status: "SUCCEEDED" });
        this.isSettled = true;
        return this.#change({ status: "SUCCEEDED", ...this.#sum(fact.sum) });
      case "settle_again":
        // A payout keeps its id.
        return (
          this.isSettled && fact.reference !== "other" && this.#change({ status: "SUCCEEDED", ...this.#sum(fact.sum) })
        );
      case "decline":
        return !this.isSettled && this.#change({ status: "FAILED", failure_code: "REJECTED_BY_CHANNEL" });
      case "reject_recipient":
        return !this.isSettled && this.#change({ status: "FAILED", failure_code: "INVALID_DESTINATION" });
      case "return":
        return this.isSettled && this.#change({ status: "REVERSED" });
      default:
        return false;
    }
  }

  #sum(sum: Parameters<typeof sumOf>[0]): { amount: number; currency: string } {
    const { amount, currency } = sumOf(sum, { ...this.#wanted, expiresAt: 0 });
    return { amount: Number(amount) / 100, currency };
  }
}

/** Starts the fake; each scene has a business of its own with the same key. */
async function start(by: keyof typeof METHODS, isPlatform = false): Promise<AdaptedProvider> {
  const fake = await FakeXendit.start();
  const wanted = (kind: Kind): Wanted => ({
    currency: "PHP",
    country: "PH",
    amount: 105_055n,
    method: kind === "payment" ? METHODS[by] : null,
    bankCode: CHANNEL,
  });
  return {
    name: "xendit",
    cancels: false,
    entry: (merchantId) => {
      const account = { account: BUSINESS, secret_key: KEY, webhook_tokens: [TOKEN] };
      const more = isPlatform ? { sub_accounts: { [merchantId]: SUB_ACCOUNT } } : {};
      return { name: "xendit", type: "xendit", ...account, ...more, url: fake.url };
    },
    wanted,
    scene({ kind, reusesId }: History) {
      const own = fake.open(KEY, new XenditAccount({ business_id: BUSINESS }));
      const owner = { business_id: SUB_ACCOUNT };
      const account = isPlatform ? fake.openSubAccount(KEY, SUB_ACCOUNT, owner) : own;
      // No document says which of both an unpaid code is, nor which form a list of payouts has.
      account.codeStatus = reusesId ? "REQUIRES_ACTION" : "PENDING";
      account.payoutLists = reusesId ? "object" : "array";
      return new XenditScene(fake, account, kind, wanted(kind));
    },
    stop: () => fake.stop(),
  };
}

export const startXenditCodes = () => start("code");
export const startXenditPlatform = () => start("code", true);
export const startXenditWallets = () => start("wallet");
