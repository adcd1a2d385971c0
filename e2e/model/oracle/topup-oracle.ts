// The required course of a top-up: it follows from what was paid in time, never from the order of the reports.
import { type Asked, type History, POLICIES, type Terms } from "../world/history";
import type { Report } from "../world/reports";
import { type Expectation, type Observation, Sums } from "./observation";

/**
 * One percent of the requested amount: what the wallet gets, and what the provider owes in total, in destination units.
 */
export interface Percent {
  readonly credit: bigint;
  readonly value: bigint;
}

/** docs/topups.md: a spread comes on top of the credit, an absorbed fee out of what the provider owes. */
export const PERCENT: Readonly<Record<Terms, Percent>> = {
  plain: { credit: 1_000n, value: 1_000n },
  spread: { credit: 1_000n, value: 1_005n },
  fee: { credit: 1_000n, value: 990n },
};

type Policies = Pick<History, "overpayment" | "underpayment" | "latePayment" | "terms">;

export class TopupOracle {
  readonly #asked: Asked;
  readonly #policies: Policies;
  readonly #currency: string;
  readonly #percent: Percent;
  #status = "open";
  #failureCode: string | null = null;
  /** Largest totals, in percent of the requested amount. */
  #seenInTime = 0;
  #confirmed = 0;
  /** Percents booked by the end, and those booked after it. */
  #taken = 0;
  #credited = 0;
  #kept = 0;
  /** Percents that vanished after they were booked. */
  #gone = 0;
  #isOver = false;
  #newestFact = 0;
  #isDisputed = false;
  #hasDropped = false;
  readonly #otherTokens = new Sums();
  readonly #exceptions = new Set<string>();
  readonly #tolerated = new Set<string>(["stuck"]);
  #isKnownToProvider = false;

  constructor(asked: Asked, policies: Policies, currency: string) {
    this.#asked = asked;
    this.#policies = policies;
    this.#currency = currency;
    this.#percent = PERCENT[policies.terms];
  }

  /** True if the docs leave open what the reports mean; then only bounds hold. */
  get isDisputed(): boolean {
    return this.#isDisputed;
  }

  observe({ answer, at, isLastWord, fact }: Observation): void {
    if (answer.kind === "refusal") {
      this.#refused(answer.code, isLastWord);
      return;
    }
    if (answer.kind !== "report") return;
    if (this.#failureCode === "provider_unavailable") this.#tolerated.add("contradiction");
    this.#isKnownToProvider = true;
    const { report } = answer;
    // Totals are unordered: an old total after a drop, or an old drop after a total, looks like a new one.
    if (this.#hasDropped && fact < this.#newestFact && report.status === "funds_seen") this.#isDisputed = true;
    if (report.status === "funds_dropped" && fact < this.#newestFact) this.#isDisputed = true;
    this.#newestFact = Math.max(this.#newestFact, fact);
    if (report.status === "funds_seen") this.#fundsSeen(report, at);
    else if (report.status === "funds_dropped") this.#fundsDropped(report, at);
    else if (report.status === "declined" && this.#isOpen()) this.#fail("provider_declined");
    // The provider's report ends a top-up that awaits payment; funds that were seen in full are awaited.
    else if (report.status === "expired" && this.#openStatus() === "requires_payment") {
      if (this.#confirmed === this.#seenInTime) this.#runOut();
      else if (at >= this.#asked.expiresAt) this.#isOver = true;
      else this.#isDisputed = true;
    }
  }

  /** The service polled at or after the end of the quote and received a clear answer, already observed. */
  windowEnded(): void {
    this.#isOver = true;
    this.#settle();
  }

  rested(): void {
    if (this.#isOpen()) this.#exceptions.add("stuck");
  }

  expectation(): Expectation {
    const { credit, value } = this.#percent;
    const suspense = this.#otherTokens.all();
    const kept = BigInt(this.#kept - this.#gone) * value;
    if (kept !== 0n) suspense[this.#currency] = kept;
    return {
      statuses: [this.#openStatus() ?? this.#status],
      failureCode: this.#failureCode,
      wallet: BigInt(this.#credited) * credit,
      held: 0n,
      suspense,
      exceptions: [...this.#exceptions],
      tolerated: [...this.#tolerated],
    };
  }

  #isOpen(): boolean {
    return this.#status === "open";
  }

  /** The answer to a poll after the quote's end closes it: whatever is reported before is in time. */
  #isInTime(at: number): boolean {
    return at < this.#asked.expiresAt || this.#openStatus() === "requires_payment";
  }

  /** A top-up seen in full is not polled at the quote's end: time alone closes it. */
  #noteTime(at: number): void {
    if (at >= this.#asked.expiresAt && this.#openStatus() === "processing") this.#isOver = true;
  }

  #openStatus(): string | null {
    if (!this.#isOpen()) return null;
    return this.#isOver || this.#seenInTime >= 100 ? "processing" : "requires_payment";
  }

  #percentsOf({ amount = "0" }: Report): number {
    return Number((BigInt(amount) * 100n) / this.#asked.amount);
  }

  #fundsSeen(report: Report, at: number): void {
    if (report.currency !== this.#asked.currency) {
      if (report.confirmed) this.#otherToken(report);
      return;
    }
    const total = this.#percentsOf(report);
    this.#noteTime(at);
    if (this.#isInTime(at)) this.#seenInTime = Math.max(this.#seenInTime, total);
    // Only a person can restore funds that came again after a drop was booked.
    if (this.#gone > 0 && total > this.#taken - this.#gone) this.#isDisputed = true;
    if (!report.confirmed || total <= this.#confirmed) return;
    this.#confirmed = total;
    if (this.#isOpen()) this.#settle();
    else this.#more();
  }

  /** Growth after the end: money that came within the quote belongs to the payment, other money is late. */
  #more(): void {
    const total = this.#confirmed;
    const inTime = Math.min(total, this.#seenInTime);
    const { overpayment, latePayment } = this.#policies;
    if (this.#status === "succeeded" && inTime > this.#taken) {
      this.#book(inTime - this.#taken, this.#taken >= 100 ? overpayment : "disputed", "amount_mismatch");
      this.#taken = inTime;
    }
    if (total > this.#taken) {
      this.#book(total - this.#taken, latePayment, "late_money");
      this.#taken = total;
    }
  }

  #book(percents: number, policy: string, exception: string): void {
    if (!(POLICIES as readonly string[]).includes(policy)) this.#isDisputed = true;
    if (policy === "credit_actual") this.#credited += percents;
    else {
      this.#kept += percents;
      this.#exceptions.add(exception);
      for (const kind of ["late_money", "amount_mismatch"]) this.#tolerated.add(kind);
    }
  }

  #settle(): void {
    if (!this.#isOpen()) return;
    const paidInTime = Math.min(this.#confirmed, this.#seenInTime);
    if (paidInTime >= 100) this.#succeed(paidInTime);
    else if (this.#isOver && this.#confirmed >= this.#seenInTime) this.#runOut();
    if (!this.#isOpen()) this.#more();
  }

  #succeed(percents: number): void {
    this.#status = "succeeded";
    this.#taken = percents;
    this.#credited = Math.min(100, percents);
    if (percents > 100) this.#book(percents - 100, this.#policies.overpayment, "amount_mismatch");
  }

  #runOut(): void {
    const paid = Math.min(this.#confirmed, this.#seenInTime);
    if (paid > 0 && this.#policies.underpayment === "credit_actual") this.#succeed(paid);
    else if (paid > 0) this.#fail("underpaid");
    else this.#end("expired", "expired");
  }

  #fail(failureCode: string): void {
    this.#end("failed", failureCode);
    this.#taken = Math.min(this.#confirmed, this.#seenInTime);
    if (this.#taken > 0) this.#book(this.#taken, "hold", "amount_mismatch");
  }

  #end(status: string, failureCode: string): void {
    this.#status = status;
    this.#failureCode = failureCode;
  }

  /** Before the end, the top-up requests the rest again. After it, suspense owes what vanished, once per total. */
  #fundsDropped(report: Report, at: number): void {
    if (report.currency !== this.#asked.currency) {
      this.#exceptions.add("contradiction");
      return;
    }
    const remaining = this.#percentsOf(report);
    this.#hasDropped = true;
    this.#noteTime(at);
    if (this.#isOpen()) {
      // A drop reports what remains, seen or confirmed: if a total is partly confirmed, it leaves open what vanished.
      if (this.#confirmed !== this.#seenInTime && remaining > 0) this.#isDisputed = true;
      this.#seenInTime = Math.min(this.#seenInTime, remaining);
      this.#confirmed = Math.min(this.#confirmed, remaining);
      this.#settle();
      return;
    }
    // What vanished was not paid in time: if it comes again, it is late.
    this.#seenInTime = Math.min(this.#seenInTime, remaining);
    const gone = this.#taken - remaining;
    if (gone <= this.#gone) return;
    this.#gone = gone;
    this.#exceptions.add("funds_dropped");
  }

  #otherToken({ amount = "0", currency = "" }: Report): void {
    const growth = BigInt(amount) - this.#otherTokens.get(currency);
    if (growth <= 0n) return;
    this.#otherTokens.add(currency, growth);
    this.#exceptions.add("amount_mismatch");
  }

  #refused(code: string, isLastWord: boolean): void {
    if (!this.#isOpen()) return;
    if (code === "declined") this.#fail("provider_declined");
    else if (this.#isKnownToProvider) this.#exceptions.add("contradiction");
    else if (isLastWord) this.#fail("provider_unavailable");
  }
}
