import fc from "fast-check";
import { expect, it } from "vitest";
import type { LedgerEntry, LedgerTransaction } from "./ledger";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "./outcome";
import { decideExpiry, decideOnPaymentOutcome, isTerminalPayment } from "./payment-intent";
import { decideLapse } from "./payout-gate";
import { decideOnPayoutOutcome, isTerminalPayout, newPayoutIntent } from "./payout-intent";
import { decidedWith } from "./testing/booked";
import { ADDRESS, after, QR, SCOPE, START, samplePayment, samplePayout, sampleTopup } from "./testing/samples";
import { decideOnTopupOutcome, decideTopupExpiry, isTerminalTopup } from "./topup-intent";
import { TOPUP_POLICIES } from "./topup-terms";
import type { Decision, IntentCore } from "./transition";

const RUNS = { numRuns: 2_000 };
const trace = { providerReference: fc.constantFrom("psp-1", "psp-2", null) };
const sum = { amount: fc.constantFrom(0n, 1n, 1050n, 25_000n), currency: fc.constantFrom("BRL", "USD") };
const message = fc.constantFrom(null, "No.");
const certain = { detail: fc.constant("why") };
const clock = fc.integer({ min: -100_000, max: 10_000_000 });

function kind<const Kind extends string>(name: Kind) {
  return { kind: fc.constant(name) };
}

const paymentNews: fc.Arbitrary<PaymentOutcome> = fc.oneof(
  fc.record({ ...kind("requires_action"), nextAction: fc.constant(QR), ...trace }),
  fc.record({ ...kind("pending"), ...trace }),
  fc.record({ ...kind("succeeded"), receiptId: fc.constantFrom("r-1", null), ...sum, ...trace }),
  fc.record({ ...kind("declined"), message, ...trace }),
  fc.record({ ...kind("cancelled"), ...trace }),
  fc.record({ ...kind("expired"), ...trace }),
  fc.record({ ...kind("never_accepted"), ...certain }),
  fc.record({ ...kind("not_sent"), ...certain }),
  fc.record({ ...kind("unknown"), ...certain }),
);
const payoutNews: fc.Arbitrary<PayoutOutcome> = fc.oneof(
  fc.record({ ...kind("pending"), ...trace }),
  fc.record({ ...kind("settled"), ...sum, ...trace }),
  fc.record({ ...kind("declined"), message, ...trace }),
  fc.record({ ...kind("invalid_recipient"), message, ...trace }),
  fc.record({ ...kind("returned"), ...sum, ...trace }),
  fc.record({ ...kind("never_accepted"), ...certain }),
  fc.record({ ...kind("not_sent"), ...certain }),
  fc.record({ ...kind("unknown"), ...certain }),
);
const received = fc.constantFrom(0n, 1n, 90_000_000n, 185_082_872n, 185_082_873n, 185_082_874n, 400_000_000n);
const topupNews: fc.Arbitrary<TopupOutcome> = fc.oneof(
  fc.record({ ...kind("instructions"), nextAction: fc.constant(ADDRESS), ...trace }),
  fc.record({ ...kind("pending"), ...trace }),
  fc.record({
    ...kind("funds_seen"),
    amount: received,
    currency: fc.constantFrom("USDT", "BRL"),
    confirmed: fc.boolean(),
    ...trace,
  }),
  fc.record({ ...kind("funds_dropped"), amount: received, currency: fc.constantFrom("USDT", "BRL"), ...trace }),
  fc.record({ ...kind("declined"), message, ...trace }),
  fc.record({ ...kind("expired"), ...trace }),
  fc.record({ ...kind("never_accepted"), ...certain }),
  fc.record({ ...kind("not_sent"), ...certain }),
  fc.record({ ...kind("unknown"), ...certain }),
);
const policy = fc.constantFrom(...TOPUP_POLICIES);
const policies = fc.record({ overpayment: policy, underpayment: policy, latePayment: policy });

interface Kind<Intent, News> {
  readonly start: Intent;
  readonly opening?: readonly LedgerTransaction[];
  decide(intent: Intent, news: News | "time is up", now: Date): Decision<Intent & IntentCore<string>>;
  isTerminal(intent: Intent): boolean;
}

function expectBalanced(transaction: LedgerTransaction): void {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of transaction.entries) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  expect([...sums.values()].every((total) => total === 0n)).toBe(true);
  expect(transaction.entries.length).toBeGreaterThanOrEqual(2);
  expect(transaction.entries.every(({ amount }) => amount !== 0n)).toBe(true);
}

/** Plays the news against the intent as the service does and checks every step; gives the end and what was booked. */
function play<Intent extends IntentCore<string>, News>(
  subject: Kind<Intent, News>,
  history: readonly (readonly [News | "time is up", number])[],
) {
  let intent = subject.start;
  let events = 0;
  const booked: LedgerTransaction[] = [...(subject.opening ?? [])];
  for (const [news, ms] of history) {
    const decision = decidedWith(subject.decide(intent, news, after(ms)), booked);
    if (decision.kind === "unmatched_funds") expectBalanced(decision.transaction);
    if (decision.kind !== "planned") continue;
    const { plan } = decision;
    expect(subject.isTerminal(intent)).toBe(false);
    expect(plan.after.revision).toBe(intent.revision + 1);
    expect(plan.after.updatedAt.getTime()).toBeGreaterThanOrEqual(intent.updatedAt.getTime());
    expect(plan.after.dueAt === null).toBe(subject.isTerminal(plan.after as Intent));
    for (const transaction of plan.transactions) expectBalanced(transaction);
    booked.push(...plan.transactions);
    if (plan.eventType) events += 1;
    intent = plan.after as Intent;
  }
  return { intent, events, booked, entries: booked.flatMap(({ entries }): readonly LedgerEntry[] => entries) };
}

function histories<News>(news: fc.Arbitrary<News>) {
  return fc.array(
    fc.tuple(
      fc.oneof({ arbitrary: news, weight: 9 }, { arbitrary: fc.constant("time is up" as const), weight: 1 }),
      clock,
    ),
    {
      maxLength: 12,
    },
  );
}

function total(entries: readonly LedgerEntry[], account: string): bigint {
  return entries.filter((entry) => entry.account === account).reduce((all, { amount }) => all + amount, 0n);
}

it("a payment ends once with one event, and is credited its amount exactly when it succeeded", () => {
  const property = fc.property(histories(paymentNews), (history) => {
    const { intent, events, entries } = play(
      {
        start: samplePayment(),
        decide: (current, news, now) =>
          news === "time is up" ? decideExpiry(current, now) : decideOnPaymentOutcome(current, news, now),
        isTerminal: isTerminalPayment,
      },
      history,
    );
    expect(events).toBe(isTerminalPayment(intent) ? 1 : 0);
    expect(total(entries, "available")).toBe(intent.status === "succeeded" ? intent.amount : 0n);
    expect(intent.failure !== null).toBe(intent.status === "failed" || intent.status === "expired");
    expect(intent.nextAction !== null).toBe(intent.status === "requires_action");
  });
  fc.assert(property, RUNS);
});

it("a payout's hold is settled exactly when it succeeded, and given back in full when it failed", () => {
  const dispatched = fc.boolean();
  const property = fc.property(dispatched, histories(payoutNews), (isDispatched, history) => {
    const start = samplePayout(isDispatched ? "processing" : "requires_approval");
    const { intent, events, entries } = play(
      {
        start,
        opening: newPayoutIntent({ ...start, scope: SCOPE }, START).transactions,
        decide: (current, news, now) =>
          news === "time is up" ? decideLapse(current, now) : decideOnPayoutOutcome(current, news, now),
        isTerminal: isTerminalPayout,
      },
      history,
    );
    expect(events).toBe(isTerminalPayout(intent) ? 1 : 0);
    expect(total(entries, "held")).toBe(isTerminalPayout(intent) ? 0n : intent.amount);
    const gaveBack = intent.status === "failed" || intent.status === "cancelled";
    // What is booked beside the intent is not in these entries; what came back before we heard that it had left is.
    const returned = total(entries, "available") + (gaveBack ? 0n : intent.amount);
    expect(returned >= 0n && returned <= (intent.status === "succeeded" ? intent.amount : 0n)).toBe(true);
    expect(total(entries, "provider_clearing")).toBe(intent.status === "succeeded" ? intent.amount - returned : 0n);
  });
  fc.assert(property, RUNS);
});

const awaitsPayment = ({ status }: { readonly status: string }) => status === "requires_payment";

it("a top-up credits the wallet exactly what it says it credited, and only when it succeeded", () => {
  const property = fc.property(policies, histories(topupNews), (kept, history) => {
    const { intent, events, booked } = play(
      {
        start: sampleTopup("requires_payment", { policies: kept }),
        decide: (current, news, now) =>
          news === "time is up" ? decideTopupExpiry(current, now) : decideOnTopupOutcome(current, news, now),
        isTerminal: isTerminalTopup,
      },
      history,
    );
    expect(events).toBe(0);
    const credited = booked.filter(({ reason }) => reason === "topup_credit").flatMap(({ entries }) => entries);
    expect(total(credited, "available")).toBe(intent.creditedAmount);
    expect(intent.status === "succeeded" || intent.creditedAmount === 0n).toBe(true);
    expect(intent.failure !== null).toBe(intent.status === "failed" || intent.status === "expired");
    const isInstructed = history.some(([news]) => news !== "time is up" && news.kind === "instructions");
    const { nextAction } = intent;
    expect(nextAction === null || (isInstructed && (nextAction.amount === "0") === !awaitsPayment(intent))).toBe(true);
  });
  fc.assert(property, RUNS);
});
