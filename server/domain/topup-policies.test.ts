import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExceptionFact } from "./exceptions";
import { FEE_MODES, quoteTopup } from "./fx";
import type { IntentTransaction, LedgerAccount, LedgerTransaction } from "./ledger";
import type { TopupOutcome } from "./outcome";
import { type InSuspense, settlementsFor, settleSuspense } from "./suspense";
import { ADDRESS, after, sampleTopup } from "./testing/samples";
import { divideFunds, divideRest, valueOf } from "./topup-funds";
import { decideOnTopupOutcome, decideTopupExpiry, isTerminalTopup, type TopupIntent } from "./topup-intent";
import type { KnownTotals } from "./topup-step";
import { TOPUP_POLICIES } from "./topup-terms";
import type { ReportedTotal } from "./transition";

const RUNS = { numRuns: 2_000 };
const PAIRS: readonly (readonly [source: string, destination: string, rate: string])[] = [
  ["USDT", "BRL", "5.430000"],
  ["BTC", "IDR", "1600000000.000000"],
  ["USDT", "BTC", "0.000010"],
  ["ETH", "JPY", "495000.000000"],
];

const policy = fc.constantFrom(...TOPUP_POLICIES);
const topup = fc
  .record({
    pair: fc.constantFrom(...PAIRS),
    destinationAmount: fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 10_000n, max: 10n ** 9n })),
    spreadBasisPoints: fc.constantFrom(0, 50, 2_500),
    feeBasisPoints: fc.constantFrom(0, 10, 300),
    feeMode: fc.constantFrom(...FEE_MODES),
    policies: fc.record({ overpayment: policy, underpayment: policy, latePayment: policy }),
  })
  .map(({ pair, destinationAmount, policies, ...terms }) => {
    const [sourceCurrency, destinationCurrency, rate] = pair;
    const currencies = { sourceCurrency, destinationCurrency };
    const quote = quoteTopup(destinationAmount, currencies, { ...terms, rate });
    const changes = { ...currencies, ...quote, destinationAmount, policies, feeMode: terms.feeMode };
    return sampleTopup("requires_payment", changes);
  });

interface Happening {
  readonly what: "paid" | "seen" | "gone" | "declined" | "time is up";
  readonly percent: bigint;
}

/** What happens, sums in per cent of what was asked for: paid to a total, gone down to one, declined, or time passes. */
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constant("paid" as const), percent: fc.constantFrom(0n, 1n, 40n, 99n, 100n, 101n, 110n, 250n) }),
  fc.record({ what: fc.constant("seen" as const), percent: fc.constantFrom(40n, 100n, 110n) }),
  fc.record({ what: fc.constant("gone" as const), percent: fc.constantFrom(0n, 40n, 100n) }),
  fc.record({ what: fc.constantFrom("declined" as const, "time is up" as const), percent: fc.constant(0n) }),
);
function total(transactions: readonly LedgerTransaction[], account: LedgerAccount, reason?: string): bigint {
  return transactions
    .filter((one) => reason === undefined || one.reason === reason)
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.account === account)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** One top-up with its books, kept as the service keeps them. */
class Course {
  readonly books: IntentTransaction[] = [];
  /** Facts that a person is told of. */
  readonly told: string[] = [];
  /** The most that was ever worth taking in, and the most of it that was gone. */
  high = 0n;
  lost = 0n;
  bookedAtEnd: bigint | null = null;
  private known: KnownTotals = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };

  constructor(public intent: TopupIntent) {}

  happen({ what, percent }: Happening, now: Date): void {
    const amount = (this.intent.sourceAmount * percent) / 100n;
    const ended = isTerminalTopup(this.intent);
    if (what === "time is up") this.decide(null, now);
    else this.decide(newsOf(what, amount, this.intent.sourceCurrency), now);
    const value = valueOf(amount, this.intent);
    if (ended && what === "paid" && value > this.high) this.high = value;
    if (ended && what === "gone" && this.high - value > this.lost) this.lost = this.high - value;
  }

  private decide(news: TopupOutcome | null, now: Date): void {
    const { intent } = this;
    const decision = news ? decideOnTopupOutcome(intent, news, now) : decideTopupExpiry(intent, now);
    if (decision.kind === "total") this.takeSteps(decision);
    if (decision.kind !== "planned") return;
    const { plan } = decision;
    for (const transaction of plan.transactions) this.book(transaction as IntentTransaction, plan.exceptions ?? []);
    this.intent = plan.after;
    if (!isTerminalTopup(this.intent)) return;
    this.known = { ...this.known, taken: -total(this.books, "provider_clearing", "late_money") };
    this.bookedAtEnd = -total(this.books, "provider_clearing") - this.known.taken;
    const { receivedAmount, reportedAmount } = this.intent;
    this.high = valueOf(receivedAmount > reportedAmount ? receivedAmount : reportedAmount, this.intent);
  }

  private takeSteps(decision: ReportedTotal): void {
    let steps = 0;
    for (let step = decision.next(this.known); step; step = decision.next(this.known)) {
      const { booking, seen, reported } = step;
      if (booking) this.book(booking.transaction, booking.exception ? [booking.exception] : []);
      const dropped = total(this.books, "provider_clearing", "funds_dropped");
      const taken = dropped - total(this.books, "provider_clearing") - (this.bookedAtEnd ?? 0n);
      this.known = { ordinal: this.known.ordinal + 1, seen, reported, taken, dropped, restoredAt: null };
      steps += 1;
      if (steps > 10) throw new Error("the steps of one report do not end");
    }
  }

  private book(transaction: IntentTransaction, exceptions: readonly ExceptionFact[]): void {
    const sum = transaction.entries.reduce((all, { amount }) => all + amount, 0n);
    const isNew = this.books.every(({ uniqueKey }) => uniqueKey !== transaction.uniqueKey);
    const touchesSuspense = transaction.entries.some(({ account }) => account === "suspense");
    const isTold = exceptions.some(({ fact }) => fact === transaction.uniqueKey);
    if (sum !== 0n || !isNew || touchesSuspense !== isTold) {
      throw new Error(
        `${transaction.uniqueKey}: sum ${sum}, new ${isNew}, suspense ${touchesSuspense}, told ${isTold}`,
      );
    }
    if (isTold) this.told.push(transaction.uniqueKey);
    this.books.push(transaction);
  }
}

function newsOf(what: "paid" | "seen" | "gone" | "declined", amount: bigint, currency: string): TopupOutcome {
  const trace = { providerReference: "psp-1" };
  if (what === "declined") return { kind: "declined", message: null, ...trace };
  if (what === "gone") return { kind: "funds_dropped", amount, currency, ...trace };
  return { kind: "funds_seen", amount, currency, confirmed: what === "paid", ...trace };
}

function played(intent: TopupIntent, happenings: readonly Happening[]): Course {
  const course = new Course(intent);
  for (const [n, one] of happenings.entries()) course.happen(one, after(n * 120_000));
  return course;
}

const happenings = fc.array(happening, { maxLength: 14 });

describe("whatever is paid, part, over, under, late, again or gone, under every policy and fee mode", () => {
  it("every unit received lies in some account", () => {
    const property = fc.property(topup, happenings, (intent, all) => {
      const course = played(intent, all);
      const { books, bookedAtEnd, high, lost } = course;
      if (bookedAtEnd === null) return books.length === 0;
      const received = valueOf(course.intent.receivedAmount, intent);
      const taken = -total(books, "provider_clearing");
      const lies = (["available", "fees", "fx_spread", "suspense"] as const).map((account) => total(books, account));
      // Rounding may leave one unit where one source unit is worth next to nothing.
      return (
        bookedAtEnd - received >= 0n &&
        bookedAtEnd - received <= 1n &&
        taken === bookedAtEnd + (high - received) - lost &&
        lies.reduce((sum, amount) => sum + amount, 0n) === taken
      );
    });
    fc.assert(property, RUNS);
  });

  it("the credit follows from the stored fields alone, and the wallet gets what the policies allow and no more", () => {
    const property = fc.property(topup, happenings, (intent, all) => {
      const { intent: end, books } = played(intent, all);
      const { overpayment, underpayment, latePayment } = end.policies;
      const due = end.status === "succeeded" ? divideFunds(end.receivedAmount, end).credited.credit : 0n;
      expect(end.creditedAmount).toBe(due);
      const over = books.filter(({ uniqueKey }) => uniqueKey.startsWith("topup_over:"));
      expect(total(books, "available", "topup_credit") - total(over, "available")).toBe(due);
      const isShort = end.receivedAmount < end.sourceAmount;
      const kept = total(books, "suspense", "amount_mismatch") - total(over, "suspense");
      const rules = [
        overpayment === "credit_actual" || due <= end.destinationAmount,
        underpayment === "credit_actual" || !isShort || due === 0n,
        overpayment === "credit_actual" || total(over, "available") === 0n,
        latePayment === "credit_actual" || total(books, "available", "late_money") === 0n,
        total(books, "available") === due + total(over, "available") + total(books, "available", "late_money"),
        end.failure?.code !== "underpaid" || underpayment !== "credit_actual",
        end.failure?.code !== "underpaid" || kept === valueOf(end.receivedAmount, end),
      ];
      expect(rules).not.toContain(false);
    });
    fc.assert(property, RUNS);
  });

  it("suspense is empty once a person has settled what they were told of, and nothing is settled twice", () => {
    const property = fc.property(topup, happenings, fc.nat(), (intent, all, choice) => {
      const { books, told, intent: end } = played(intent, all);
      const settled = told.map((fact, n) => {
        const money = suspenseOf(books, fact, end);
        const decisions = settlementsFor(money.amount);
        const as = decisions[(choice + n) % decisions.length] ?? "credit";
        const transaction = settleSuspense(fact, money, as);
        if (!transaction) throw new Error("no settlement");
        expect(transaction.entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
        return transaction;
      });
      expect(total([...books, ...settled], "suspense")).toBe(0n);
      expect(new Set(settled.map(({ uniqueKey }) => uniqueKey)).size).toBe(told.length);
    });
    fc.assert(property, RUNS);
  });
});

function suspenseOf(books: readonly IntentTransaction[], fact: string, terms: TopupIntent): InSuspense {
  const booking = books.filter(({ uniqueKey }) => uniqueKey === fact);
  const { id: intentId, destinationCurrency: currency } = terms;
  return { intentId, provider: terms.provider, currency, amount: total(booking, "suspense"), terms };
}

describe("a rest that is credited after all", () => {
  it("divides without a unit left over, and the whole as the exact payment does", () => {
    const property = fc.property(topup, fc.bigInt({ min: 1n, max: 10n ** 12n }), (terms, amount) => {
      const { credit, spread, fee } = divideRest(amount, terms);
      expect(credit + spread + fee).toBe(amount);
      expect(credit >= 0n && spread >= 0n).toBe(true);
      const whole = valueOf(terms.sourceAmount, terms);
      const exact = divideFunds(terms.sourceAmount, terms).credited;
      expect(whole > 0n ? divideRest(whole, terms) : exact).toEqual(exact);
    });
    fc.assert(property, RUNS);
  });

  it("is refused where the decision does not fit the sum", () => {
    const money = { intentId: "tuin_1", provider: "acme", currency: "BRL", terms: null };
    for (const as of settlementsFor(-1n)) expect(settleSuspense("f", { ...money, amount: 5n }, as)).toBeNull();
    for (const as of settlementsFor(1n)) expect(settleSuspense("f", { ...money, amount: -5n }, as)).toBeNull();
  });
});

describe("funds that drop out of the chain", () => {
  const asked = sampleTopup().sourceAmount;
  const policies = { overpayment: "hold", underpayment: "hold", latePayment: "hold" } as const;

  it("reopen a top-up that was under way, with its address and the whole sum to pay", () => {
    const nextAction = { ...ADDRESS, amount: asked.toString() };
    const course = new Course(sampleTopup("requires_payment", { nextAction }));
    course.happen({ what: "seen", percent: 100n }, after(1_000));
    expect(course.intent).toMatchObject({ status: "processing", seenAmount: asked });
    course.happen({ what: "gone", percent: 0n }, after(2_000));
    expect(course.intent).toMatchObject({ status: "requires_payment", receivedAmount: 0n, nextAction });
    expect(course.books).toEqual([]);
  });

  it("end it when its quote has run out meanwhile", () => {
    const course = new Course(sampleTopup("requires_payment", { policies }));
    course.happen({ what: "seen", percent: 100n }, after(1_000));
    course.happen({ what: "gone", percent: 0n }, after(900_000));
    expect(course.intent).toMatchObject({ status: "expired", failure: { code: "expired" }, dueAt: null });
    const partly = new Course(sampleTopup("requires_payment", { policies }));
    partly.happen({ what: "seen", percent: 100n }, after(1_000));
    partly.happen({ what: "gone", percent: 40n }, after(900_000));
    expect(partly.intent).toMatchObject({ status: "processing", receivedAmount: 0n });
    partly.happen({ what: "paid", percent: 40n }, after(901_000));
    expect(partly.intent).toMatchObject({ status: "failed", failure: { code: "underpaid" } });
  });

  it("leave suspense short by their value after the credit, once however often it is reported", () => {
    const course = new Course(sampleTopup());
    course.happen({ what: "paid", percent: 100n }, after(1_000));
    const credited = course.intent;
    for (const percent of [40n, 40n, 0n, 0n]) course.happen({ what: "gone", percent }, after(2_000));
    expect(course.intent).toEqual(credited);
    expect(total(course.books, "suspense")).toBe(-valueOf(asked, credited));
    expect(total(course.books, "available")).toBe(100_000n);
    expect(course.told).toHaveLength(2);
  });
});
