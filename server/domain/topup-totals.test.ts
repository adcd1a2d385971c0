// The outcome of a top-up depends on what was paid in time, not on the order in which it was reported.

import fc from "fast-check";
import { expect, it } from "vitest";
import { FEE_MODES } from "./fx";
import type { LedgerTransaction } from "./ledger";
import type { TopupOutcome } from "./outcome";
import { ADDRESS, after, sampleTopup } from "./testing/samples";
import { decideOnTopupOutcome, decideTopupExpiry, QUOTE_LIFETIME_MS, type TopupIntent } from "./topup-intent";
import type { KnownTotals } from "./topup-step";
import { TOPUP_POLICIES } from "./topup-terms";
import { areSameTotals } from "./topup-totals";
import type { Decision } from "./transition";

interface Report {
  readonly percent: bigint;
  readonly confirmed: boolean;
}

/** Totals grow; each is reported when it is seen, when it is confirmed, or both. */
const reports = fc.uniqueArray(
  fc.record({ percent: fc.constantFrom(1n, 30n, 60n, 99n, 100n, 110n, 150n, 250n), confirmed: fc.boolean() }),
  { maxLength: 6, selector: ({ percent, confirmed }) => `${percent} ${confirmed}` },
);

/** The same reports in two orders, some of them more than once. */
const orders = reports.chain((all) => {
  const anyOrder = fc
    .tuple(fc.shuffledSubarray([...all, ...all], { minLength: 0 }), fc.shuffledSubarray(all, { minLength: all.length }))
    .chain(([repeated, once]) => {
      const together = [...once, ...repeated];
      return fc.shuffledSubarray(together, { minLength: together.length });
    });
  return fc.tuple(anyOrder, anyOrder);
});

const policy = fc.constantFrom(...TOPUP_POLICIES);
const terms = fc.record({
  policies: fc.record({ overpayment: policy, underpayment: policy, latePayment: policy }),
  feeMode: fc.constantFrom(...FEE_MODES),
});

/** A top-up with what is booked and known beside it, as the service keeps them. */
class Course {
  private readonly books: LedgerTransaction[] = [];
  private known: KnownTotals = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };

  constructor(private intent: TopupIntent) {}

  hear(all: readonly Report[], at: Date): this {
    for (const { percent, confirmed } of all) {
      const { sourceAmount, sourceCurrency: currency } = this.intent;
      const amount = (sourceAmount * percent) / 100n;
      const news: TopupOutcome = { kind: "funds_seen", amount, currency, confirmed, providerReference: null };
      this.record(decideOnTopupOutcome(this.intent, news, at));
    }
    return this;
  }

  closeQuote(at: Date): this {
    this.record(decideTopupExpiry(this.intent, at));
    return this;
  }

  private record(decision: Decision<TopupIntent>): void {
    if (decision.kind === "planned") {
      this.intent = decision.plan.after;
      this.books.push(...decision.plan.transactions);
      this.known = { ...this.known, taken: this.takenBeside() };
    }
    if (decision.kind !== "total") return;
    for (let step = decision.next(this.known); step; step = decision.next(this.known)) {
      if (step.booking) this.books.push(step.booking.transaction);
      const { seen, reported } = step;
      this.known = { ...this.known, ordinal: this.known.ordinal + 1, seen, reported, taken: this.takenBeside() };
    }
  }

  private takenBeside(): bigint {
    const beside = this.books.filter(({ uniqueKey }) => /^topup_(late|over):/.test(uniqueKey));
    return -(sums(beside).provider_clearing ?? 0n);
  }

  /** Where it stands: its status, what is left to pay, and every account. */
  end(): object {
    const { status, nextAction, failure } = this.intent;
    return { status, left: nextAction?.amount, failure: failure?.code ?? null, accounts: sums(this.books) };
  }
}

function sums(books: readonly LedgerTransaction[]): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const { account, amount } of books.flatMap(({ entries }) => entries)) {
    all[account] = (all[account] ?? 0n) + amount;
  }
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0n));
}

it("totals are the same only if every one of them is", () => {
  const totals = { seenAmount: 3n, receivedAmount: 2n, reportedAmount: 2n };
  expect(areSameTotals(totals, { ...totals })).toBe(true);
  for (const total of ["seenAmount", "receivedAmount", "reportedAmount"] as const) {
    expect(areSameTotals(totals, { ...totals, [total]: 1n })).toBe(false);
  }
});

it("whatever the order and however often reports come, a top-up ends in the same state with the same books", () => {
  const [soon, closing, late] = [after(60_000), after(QUOTE_LIFETIME_MS), after(QUOTE_LIFETIME_MS + 60_000)];
  const property = fc.property(terms, orders, orders, (changes, inTime, afterwards) => {
    const [one, other] = [0, 1].map((n) => {
      const course = new Course(sampleTopup("requires_payment", { ...changes, nextAction: ADDRESS }));
      const quoted = course.hear(inTime[n] ?? [], soon).end();
      return [
        quoted,
        course
          .closeQuote(closing)
          .hear(afterwards[n] ?? [], late)
          .end(),
      ];
    });
    expect(one).toEqual(other);
  });
  fc.assert(property, { numRuns: 5_000 });
});
