// The outside world of one intent: a virtual clock, the provider's record, and the reports on their way to the service.
import { formerReport, isFormerFact } from "./former-provider";
import {
  type Asked,
  CREATION_COURSES,
  type CreationCourse,
  type Fact,
  FLAWS,
  type Flaw,
  type History,
  QUERY_COURSES,
  type QueryCourse,
  type Wait,
} from "./history";
import { newPaymentTruth, type PaymentTruth, paymentUpdates } from "./payment-provider";
import { misdirectedReport, newPayoutTruth, type PayoutTruth, payoutUpdates } from "./payout-provider";
import { type Entry, emptyRecord, enter, lose, type ProviderRecord } from "./record";
import type { Answer, Delivery, Report } from "./reports";
import { newTopupTruth, type TopupTruth, topupUpdates } from "./topup-provider";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What each kind of wait adds to the clock, in ms, given the time left until the deadline. */
const WAITS_MS: Readonly<Record<Wait, (left: number) => number>> = {
  second: () => SECOND,
  minutes: () => 5 * MINUTE,
  hours: () => 4 * HOUR,
  almost: (left) => Math.max(0, left - MINUTE),
  deadline: (left) => Math.max(0, left + SECOND),
};

/** True if a creation call with this course reaches the provider and is processed. */
const REACHES: Readonly<Record<CreationCourse, boolean>> = {
  answered: true,
  answer_lost: true,
  answer_late: true,
  garbled: true,
  request_lost: false,
  unsent: false,
  not_accepted: false,
  declined: false,
};

/** Faults of callbacks that only the service itself can meet: the domain decides on reports that were read and matched. */
export const CALLBACK_FAULTS: readonly string[] = [...FLAWS.map((flaw) => `callback ${flaw}`), "callback reused id"];

/** Every other fault that the world can play; a deep run must play each often. */
export const FAULTS: readonly string[] = [
  ...CREATION_COURSES.filter((course) => course !== "answered").map((course) => `create ${course}`),
  ...QUERY_COURSES.filter((course) => course !== "current").map((course) => `query ${course}`),
  "overlap",
  "duplicate",
  "out of order",
  "lost callback",
  "forget",
  "restore",
  "drop",
  "cancel",
  "former provider pays",
  "former provider accepts",
  "misdirected report",
  "two sums of one receipt",
  "settlement without reference",
  "two sums of one settlement",
  "settlement under another reference",
];

/** The fault in a fact; null if it is part of the ordinary course of an intent. */
function faultOf(fact: Fact): string | null {
  switch (fact.fact) {
    case "drop":
      return "drop";
    case "correct":
      return "two sums of one receipt";
    case "settle":
      return fact.isNamed ? null : "settlement without reference";
    case "settle_again":
      return fact.reference === "same" ? "two sums of one settlement" : "settlement under another reference";
    default:
      return null;
  }
}

export class World {
  readonly history: History;
  readonly payment: PaymentTruth = newPaymentTruth();
  readonly payout: PayoutTruth = newPayoutTruth();
  readonly topup: TopupTruth = newTopupTruth();
  readonly record: ProviderRecord = emptyRecord();
  /** Everything the provider has to deliver, in the order of the facts. */
  readonly outbox: Delivery[] = [];
  /** How often each fault really occurred. */
  readonly faults = new Map<string, number>();
  /** Virtual ms since the intent was created. */
  now = 0;
  /** Number of calls and deliveries so far. */
  ticks = 0;
  /** Creation calls of all providers so far. */
  creations = 0;
  /** True once a refused provider was left for another. */
  hasFormer = false;
  readonly asked: Asked;
  readonly #delivered = new Set<Delivery>();
  #newestFact = 0;
  #flawed = 0;

  constructor(history: History, asked: Asked) {
    this.history = history;
    this.asked = asked;
  }

  wait(wait: Wait): void {
    this.now += WAITS_MS[wait](this.asked.expiresAt - this.now);
  }

  /** A creation call arrives, or does not; the course comes from the history. */
  create(): Answer {
    this.ticks += 1;
    const course = this.history.creations[this.creations] ?? "answered";
    this.creations += 1;
    if (course !== "answered") this.count(`create ${course}`);
    if (REACHES[course]) this.#accept();
    switch (course) {
      case "answered":
        return this.#standing();
      case "answer_late":
        this.#hold(this.#standing());
        return { kind: "silence" };
      case "garbled":
        return { kind: "garbage" };
      case "unsent":
        return { kind: "unsent" };
      case "not_accepted":
        return this.record.isAccepted ? this.#standing() : { kind: "refusal", code: "not_accepted" };
      case "declined":
        return this.#refuse();
      default:
        return { kind: "silence" };
    }
  }

  query(course: QueryCourse): Answer {
    this.ticks += 1;
    if (course !== "current") this.count(`query ${course}`);
    switch (course) {
      case "silent":
        return { kind: "silence" };
      case "garbled":
        return { kind: "garbage" };
      case "late":
        this.#hold(this.#standing());
        return { kind: "silence" };
      case "lagging":
        return this.#standing(1);
      default:
        return this.#standing();
    }
  }

  /** The service sends a cancel call; the answer states what is true afterwards. */
  cancel(): Answer {
    this.ticks += 1;
    const paid = this.payment.receipts.size > 0 || this.topup.transfers.some(({ state }) => state !== "dropped");
    const last = this.record.entries.at(-1)?.report.status;
    if (!this.record.isAccepted || paid || last === "pending") return this.#standing();
    this.count("cancel");
    this.payment.isClosed = true;
    this.topup.isClosed = true;
    return this.#reported(enter(this.record, { status: "expired" }));
  }

  /** Applies a fact. Facts that cannot happen in this state of the world are skipped. */
  happen(fact: Fact): void {
    if (isFormerFact(fact)) {
      if (!this.hasFormer) return;
      this.count(fact.fact === "former_pays" ? "former provider pays" : "former provider accepts");
      const report = formerReport(fact, this.history, this.asked);
      this.outbox.push({ report, fact: this.record.facts, askedAt: null, isFormer: true });
      return;
    }
    if (fact.fact === "misdirect") {
      if (this.record.isAccepted) return;
      this.count("misdirected report");
      const report = misdirectedReport(fact.status, this.asked);
      this.outbox.push({ report, fact: 0, askedAt: null, isFormer: false });
      return;
    }
    if (!this.record.isAccepted) return;
    if (fact.fact === "forget" || fact.fact === "restore") {
      lose(this.record, fact.fact);
      this.count(fact.fact);
      return;
    }
    const report = this.#newsOf(fact);
    if (!report) return;
    const fault = faultOf(fact);
    if (fault) this.count(fault);
    this.#publish(enter(this.record, report));
  }

  /** The deliveries that a step names. They stay in the outbox, so a delivery can be taken more than once. */
  take(items: readonly number[]): Delivery[] {
    const { length } = this.outbox;
    const taken = items.flatMap((item) => this.outbox[length - 1 - (item % Math.max(1, length))] ?? []);
    if (taken.length > 1) this.count("overlap");
    for (const delivery of taken) {
      if (this.#delivered.has(delivery)) this.count("duplicate");
      else if (delivery.fact < this.#newestFact) this.count("out of order");
      this.#delivered.add(delivery);
      this.#newestFact = Math.max(this.#newestFact, delivery.fact);
    }
    return taken;
  }

  /** The provider sends a flawed callback. The result is the report in it, which would move money if it were applied. */
  misdeliver(flaw: Flaw): Report {
    this.count(`callback ${flaw}`);
    this.#flawed += 1;
    const name = `flawed-${this.#flawed}`;
    const amount = this.asked.amount.toString();
    const sum = { amount, currency: this.asked.currency, provider_reference: name };
    const { kind, protocol } = this.history;
    if (kind === "payment") {
      return { status: "succeeded", ...sum, ...(protocol === 2 ? { receipt_id: name } : {}) };
    }
    return kind === "payout" ? { status: "settled", ...sum } : { status: "funds_seen", confirmed: true, ...sum };
  }

  /** What no step delivered, unless it is lost for good. */
  takeRest(): Delivery[] {
    const left = this.outbox.filter((delivery) => !this.#delivered.has(delivery));
    if (!this.history.losesRest) return left;
    if (left.length > 0) this.count("lost callback");
    return [];
  }

  /** Counts a fault, to prove that every fault was played. */
  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  #newsOf(fact: Fact): Report | null {
    const { kind, protocol } = this.history;
    if (kind === "payment") return paymentUpdates(this.payment, fact, this.asked, protocol);
    return kind === "payout"
      ? payoutUpdates(this.payout, fact, this.asked)
      : topupUpdates(this.topup, fact, this.asked);
  }

  #accept(): void {
    if (this.record.isAccepted) return;
    this.record.isAccepted = true;
    this.payout.executions += 1;
    const isPayout = this.history.kind === "payout";
    enter(this.record, isPayout ? { status: "pending" } : { status: "requires_action", next_action: "instructions" });
  }

  #refuse(): Answer {
    if (this.record.isAccepted) return this.#standing();
    this.record.isAccepted = true;
    return this.#reported(enter(this.record, { status: "declined" }));
  }

  #standing(lag = 0): Answer {
    const { entries, isAccepted } = this.record;
    const entry = entries.at(-1 - lag);
    if (!isAccepted || !entry) return { kind: "refusal", code: "unknown_reference" };
    return this.#reported(entry);
  }

  #reported({ report, fact }: Entry): Answer {
    return { kind: "report", report, fact };
  }

  /** Callbacks have no instructions: the service reads those by polling. */
  #publish({ report, fact }: Entry): void {
    if (report.status === "requires_action") return;
    this.outbox.push({ report, fact, askedAt: null, isFormer: false });
  }

  #hold(answer: Answer): void {
    if (answer.kind !== "report") return;
    this.outbox.push({ report: answer.report, fact: answer.fact, askedAt: this.ticks, isFormer: false });
  }
}
