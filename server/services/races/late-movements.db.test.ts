// Proves that of two simultaneous reports that may be about the same money, one is booked and the other opens an
// exception.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import type { PaymentOutcome, PayoutOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProviders, type ScriptedProvider } from "@/server/testing/scripted-provider";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { linkAuditEntries } from "../audit/link-entries";
import { verifyAuditChains } from "../audit/verify-chains";
import { withoutIdempotency } from "../idempotency/completion";
import { findAnyIntent } from "../intent-kinds";
import { followUp } from "../intents/follow-up";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";

const TRIALS = sizeOf({ representative: 60, deep: 2_000 });
/** Intents that race concurrently. */
const CONCURRENCY = 10;

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

let copies: readonly [Copy, Copy];
let merchant: TestMerchant;
let first: ScriptedProvider;
beforeAll(async () => {
  copies = await loadTwice();
});
beforeEach(async () => {
  const providers = installScriptedProviders("first", "second");
  for (const provider of Object.values(providers)) provider.answer = PENDING;
  ({ first } = providers);
  merchant = await makeLiveMerchant();
});
afterEach(async () => {
  while ((await linkAuditEntries()).isBehind);
  const [report] = await verifyAuditChains(merchant.merchantId);
  if (report?.broken !== null) throw new Error(`the audit chain has a fault: ${JSON.stringify(report?.broken)}`);
  await requireInvariants();
});

type Outcome = PaymentOutcome | PayoutOutcome;

const settled = (providerReference: string | null, amount: bigint): Outcome => {
  return { kind: "settled", amount, currency: "BRL", providerReference };
};
const returned = (providerReference: string, amount: bigint): Outcome => {
  return { kind: "returned", amount, currency: "BRL", providerReference };
};
const paid = (providerReference: string | null, receiptId: string | null): Outcome => {
  return { kind: "succeeded", amount: 1050n, currency: "BRL", providerReference, receiptId };
};
const PENDING = { kind: "pending", providerReference: null } as const;
const DECLINED: Outcome = { kind: "declined", message: null, providerReference: null };

async function makePayment(): Promise<string> {
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  return intent.id;
}

async function makePayout(): Promise<string> {
  return (await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency())).intent.id;
}

/** Creates a payout that the first provider rejected and the second accepted. */
async function makeReroutedPayout(): Promise<string> {
  first.answer = { kind: "never_accepted", detail: "unknown reference" };
  const { intent } = await createPayoutIntent(merchant.context, payout({ amount: "25000" }), withoutIdempotency());
  await followUp(PAYOUTS, intent, now);
  return intent.id;
}

async function apply({ applyUpdate }: Copy, id: string, outcome: Outcome): Promise<void> {
  const subject = await findAnyIntent(merchant.merchantId, id);
  if (!subject) throw new RangeError(`no ${id}`);
  await applyUpdate(merchant.context, subject, [outcome], { provider: "first" });
}

/** Returns the amounts booked beside the intent by reason, and its exceptions, each sorted. */
async function kept(id: string): Promise<string> {
  const booked = await query<{ line: string }>(
    `SELECT t.reason AS line FROM ledger_transaction t
     WHERE t.merchant_id = $1 AND t.intent_id = $2 AND t.reason IN ('late_money', 'amount_mismatch', 'bank_return')`,
    merchant.merchantId,
    id,
  );
  const exceptions = await query<{ line: string }>(
    "SELECT kind AS line FROM exception WHERE merchant_id = $1 AND object_id = $2",
    merchant.merchantId,
    id,
  );
  return [booked, exceptions]
    .map((rows) =>
      rows
        .map(({ line }) => line)
        .sort()
        .join(" "),
    )
    .join(" | ");
}

interface Contest {
  readonly what: string;
  readonly make?: () => Promise<string>;
  readonly before?: readonly Outcome[];
  readonly reports: readonly [Outcome, Outcome];
  /** The allowed results: bookings | exceptions. */
  readonly right: readonly string[];
}

const LATE = ["late_money | ambiguous_receipt late_money"];

it.each<Contest>([
  {
    what: "two sums under one reference, of a failed payout",
    before: [DECLINED],
    reports: [settled("px", 25_000n), settled("px", 20_000n)],
    right: LATE,
  },
  {
    what: "one sum with and without a reference, of a failed payout",
    before: [DECLINED],
    reports: [settled("po-0", 25_000n), settled(null, 25_000n)],
    right: LATE,
  },
  {
    what: "two sums under one reference, through a former provider",
    make: makeReroutedPayout,
    reports: [settled("px", 25_000n), settled("px", 20_000n)],
    right: LATE,
  },
  {
    what: "one sum with and without a reference, through a former provider",
    make: makeReroutedPayout,
    reports: [settled("po-0", 25_000n), settled(null, 25_000n)],
    right: LATE,
  },
  {
    what: "two returns under one reference, one of which exceeds the payout",
    before: [settled("po-0", 25_000n)],
    reports: [returned("r", 25_001n), returned("r", 20_000n)],
    right: ["amount_mismatch | ambiguous_receipt amount_mismatch", "bank_return | ambiguous_receipt bank_return"],
  },
  {
    what: "two returns under one reference before the settlement, one of which exceeds the payout",
    reports: [returned("r", 25_001n), returned("r", 20_000n)],
    right: ["amount_mismatch | ambiguous_receipt amount_mismatch", "bank_return | ambiguous_receipt bank_return"],
  },
  {
    what: "one receipt with and without an id, of a failed payment",
    make: makePayment,
    before: [DECLINED],
    reports: [paid("px", "r-1"), paid(null, null)],
    right: LATE,
  },
])("$what", async ({ make = makePayout, before = [], reports, right }) => {
  const wrong: Record<string, number> = {};
  for (let trial = 0; trial < TRIALS; trial += CONCURRENCY) {
    const ids = await Promise.all(Array.from({ length: CONCURRENCY }, make));
    for (const outcome of before) await Promise.all(ids.map((id) => apply(copies[0], id, outcome)));
    const race = (id: string) => reports.map((report, n) => apply(copies[n] as Copy, id, report));
    await Promise.all(ids.flatMap(race));
    for (const end of await Promise.all(ids.map(kept))) {
      if (!right.includes(end)) wrong[end] = (wrong[end] ?? 0) + 1;
    }
  }
  expect(wrong).toEqual({});
});

it("many simultaneous receipts of one payment are all booked", async () => {
  const id = await makePayment();
  await apply(copies[0], id, DECLINED);
  const receipts = Array.from({ length: 20 }, (_, n) => apply(copies[n % 2] as Copy, id, paid(`px-${n}`, `r-${n}`)));
  await Promise.all(receipts);
  expect(await kept(id)).toBe([receipts, receipts].map((all) => all.map(() => "late_money").join(" ")).join(" | "));
});
