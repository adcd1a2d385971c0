// dLocal as the driver plays it: the hostile fake, whose books the facts of a history change.
import { DlocalAccount } from "../../support/fake-dlocal/book";
import { FakeDlocal } from "../../support/fake-dlocal/server";
import type { CreationCourse, Fact, History, QueryCourse } from "../world/history";
import { sumOf } from "../world/payment-provider";
import type { AdaptedProvider, Heard, Scene, Wanted, Webhook } from "./adapted";
import { DlocalReader } from "./dlocal-reader";

const OWNER = { login: "sak223k2wdksdl2", transKey: "fm12O7G9", secretKey: "S3cr3t0123456789abcdefABCDEF" };
const FORGER = { ...OWNER, secretKey: "another-secret-0123456789abc" };
const WANTED: Wanted = { currency: "COP", country: "CO", amount: 5_000_000n, method: "CO_PSE" };

type Fault = Parameters<FakeDlocal["spoil"]>[1];

/** What dLocal does in each course of a creation. It sends nothing before the creation. It answers immediately or never. */
const CREATION_FAULTS: Readonly<Record<CreationCourse, Fault | null>> = {
  answered: null,
  answer_lost: "lost_answer",
  answer_late: "timeout",
  garbled: "html",
  request_lost: "lost_request",
  unsent: "lost_request",
  not_accepted: "refused",
  declined: "payer_refused",
};
const QUERY_FAULTS: Readonly<Record<QueryCourse, Fault | null>> = {
  current: null,
  lagging: null,
  silent: "lost_answer",
  garbled: "html",
  late: "no_route",
};
const STATUSES: Readonly<Record<string, string>> = {
  decline: "REJECTED",
  payer_cancels: "CANCELLED",
  give_up: "EXPIRED",
};

class DlocalScene implements Scene {
  readonly #fake: FakeDlocal;
  readonly #account: DlocalAccount;
  readonly #reader = new DlocalReader(WANTED);
  #reference = "";
  /** True once something has happened since the creation that a late replica does not show. */
  #hasNews = false;
  #webhooks = 0;
  /** The money of the payment that has arrived. */
  #money: number | null = null;
  readonly isSettled = false;

  constructor(fake: FakeDlocal, account: DlocalAccount) {
    this.#fake = fake;
    this.#account = account;
    fake.watch = (call) => this.#reader.read(call);
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
    if (atCreation) this.#fake.spoil(/POST .payments$/, atCreation);
    if (query === "lagging" && this.#hasNews) this.#fake.spoil(/GET .payments\//, "stale");
    if (query === "lagging" && !this.#hasNews) this.#fake.spoil(/GET .orders\//, "not_found");
    if (atQuery) this.#fake.spoil(/GET .(orders|payments)\//, atQuery);
  }

  /** A payment takes one payment of its sum; dLocal cancels what arrives late or is of another sum. */
  happen(fact: Fact): boolean {
    if (!this.isKnown) return false;
    if (fact.fact === "forget") {
      this.#account.forget();
      return true;
    }
    const { currency, amount } = WANTED;
    if (fact.fact === "restore") return this.#become("PENDING", { currency, amount: Number(amount) / 100 });
    const { [fact.fact]: status } = STATUSES;
    if (status) return this.#money === null && this.#become(status);
    const isPaid = fact.fact === "pay" && (this.#money ?? fact.money) === fact.money;
    const isCorrected = fact.fact === "correct" && this.#money === fact.money;
    if (!isPaid && !isCorrected) return false;
    const isAgain = isPaid && this.#money !== null;
    this.#money = fact.money;
    const sum = sumOf(fact.sum, { ...WANTED, expiresAt: 0 });
    return this.#become("PAID", isAgain ? {} : { currency: sum.currency, amount: Number(sum.amount) / 100 });
  }

  webhook(): Webhook | null {
    return this.isKnown ? this.#signed({ order_id: this.#reference, amount: 999_999_999, status: "PAID" }) : null;
  }

  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook {
    this.#webhooks += 1;
    const name = `${this.#reference}-${this.#webhooks}`;
    if (flaw === "not_json") return FakeDlocal.signed(`status=PAID&name=${name}`, OWNER);
    if (flaw === "unreadable") return FakeDlocal.signed(JSON.stringify({ id: 7, name }), OWNER);
    const last = this.#reference.endsWith("0") ? "1" : "0";
    return this.#signed({ order_id: this.#reference.slice(0, -1) + last });
  }

  forged(): Webhook {
    return FakeDlocal.webhook({ body: { id: "D-4-1", order_id: this.#reference, status: "PAID" } }, FORGER);
  }

  executions(): number {
    return this.#account.executions();
  }

  get isKnown(): boolean {
    return this.#account.executions() > 0;
  }

  #become(status: string, changes: Parameters<DlocalAccount["move"]>[2] = {}): boolean {
    this.#hasNews = true;
    this.#account.move(this.#reference, status, changes);
    return true;
  }

  #signed(members: object): Webhook {
    this.#webhooks += 1;
    return FakeDlocal.webhook({ body: { id: "D-4-1", ...members, at: this.#webhooks } }, OWNER);
  }
}

/** Starts the fake; each scene has an account of its own with the same keys. */
export async function startDlocal(): Promise<AdaptedProvider> {
  const fake = await FakeDlocal.start();
  return {
    name: "dlocal",
    cancels: false,
    entry: () => {
      const keys = { account: OWNER.login, trans_key: OWNER.transKey, secret_key: OWNER.secretKey };
      return { name: "dlocal", type: "dlocal", ...keys, url: fake.url, payment_methods: "all" };
    },
    wanted: () => WANTED,
    scene({ reusesId }: History) {
      const account = fake.open(OWNER.login, new DlocalAccount(OWNER));
      // No page of dLocal says what a repeated key is answered, nor whether a poll shows the payer's page.
      account.replaysKeys = reusesId;
      account.showsPages = reusesId;
      return new DlocalScene(fake, account);
    },
    stop: () => fake.stop(),
  };
}
