// Payouts that race for one balance, or at the gate, have one winner and lose no hold.

import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { now } from "@/server/platform/clock";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payout, type TestMerchant } from "@/server/testing/merchant";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { withoutIdempotency } from "../idempotency/completion";
import { PAYOUTS } from "../payouts/kind";

const TRIALS = sizeOf({ representative: 1_000, deep: 10_000 });
const MERCHANTS = 5;
const OF_EACH = TRIALS / MERCHANTS;

/** The tests wait for no timer, but many trials take long on a busy machine. */
vi.setConfig({ testTimeout: 3_600_000 });

let one: Copy;
let other: Copy;
let merchants: readonly TestMerchant[];
beforeAll(async () => {
  [one, other] = await loadTwice();
});
beforeEach(async () => {
  merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => makeMerchant()));
});

/** Returns the successful results; all others must have been rejected with this code. */
async function doneOf<Result>(attempts: readonly Promise<Result>[], refusal: string): Promise<Result[]> {
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result) => {
    if (result.status === "fulfilled") return [result.value];
    if ((result.reason as { code?: string }).code === refusal) return [];
    throw result.reason;
  });
}

/** Creates a payout of the wallet's whole balance. */
async function spendAll(copy: Copy, { context }: TestMerchant) {
  return (await copy.createPayoutIntent(context, payout({ amount: String(OPENING) }), withoutIdempotency())).intent;
}

function cancel(copy: Copy, { context }: TestMerchant, id: string) {
  return copy.cancelPayoutIntent(context, { id, reason: null }, withoutIdempotency());
}

async function countByStatus(): Promise<Record<string, number>> {
  const rows = await query<{ status: string; count: number }>(
    "SELECT status, count(*)::int AS count FROM payout_intent WHERE merchant_id = ANY($1) GROUP BY status",
    merchants.map(({ merchantId }) => merchantId),
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function countEvents(): Promise<number> {
  const counts = await Promise.all(merchants.map(({ merchantId }) => countRows("event", merchantId)));
  return counts.reduce((total, count) => total + count, 0);
}

/** Releases a payout's hold while another payout spends it: both succeed, or only the release. */
async function raceForRelease(merchant: TestMerchant, id: string): Promise<void> {
  const [released, spent] = await Promise.all([
    doneOf([cancel(one, merchant, id), cancel(other, merchant, id)], "approval_required"),
    doneOf([spendAll(other, merchant)], "insufficient_balance"),
  ]);
  expect(released).toHaveLength(1);
  expect(await balanceOf(merchant)).toEqual(spent.length > 0 ? [0n, OPENING] : [OPENING, 0n]);
  for (const { id: next } of spent) await cancel(one, merchant, next);
}

it(`of two simultaneous payouts on a balance for one exactly one is created, ${TRIALS} times, and no hold is lost`, async () => {
  const lane = async (merchant: TestMerchant) => {
    for (let trial = 0; trial < OF_EACH; trial += 1) {
      const copies = trial % 2 ? [one, other] : [other, one];
      const attempts = copies.map((copy) => spendAll(copy, merchant));
      const made = await doneOf(attempts, "insufficient_balance");
      expect(made).toHaveLength(1);
      const id = made[0]?.id ?? "";
      if (trial % 10 === 0) await raceForRelease(merchant, id);
      else await cancel(one, merchant, id);
    }
  };
  await Promise.all(merchants.map(lane));
  const { cancelled = 0, ...others } = await countByStatus();
  expect(others).toEqual({});
  expect(cancelled).toBeGreaterThanOrEqual(TRIALS);
  expect(await countEvents()).toBe(cancelled);
  await requireInvariants();
});

it(`an approval and the lapse at once have one winner, each of ${TRIALS} times`, async () => {
  const lane = async (merchant: TestMerchant) => {
    for (let trial = 0; trial < OF_EACH; trial += 1) {
      const { intent } = await one.createPayoutIntent(
        merchant.context,
        payout({ amount: "1003" }),
        withoutIdempotency(),
      );
      const [approver, worker] = trial % 2 ? [one, other] : [other, one];
      const approval = () => doneOf([approver.approvePayoutIntent(merchant.byMember(), intent)], "approval_required");
      const acts = [approval, () => worker.followUp(PAYOUTS, intent, now)];
      await Promise.all((trial % 4 < 2 ? acts : acts.toReversed()).map((act) => act()));
    }
  };
  await Promise.all(merchants.map(lane));
  const { cancelled = 0, processing = 0, ...others } = await countByStatus();
  expect(others).toEqual({});
  expect(cancelled + processing).toBe(TRIALS);
  expect(await countEvents()).toBe(cancelled);
  for (const merchant of merchants) {
    const dispatched = BigInt(await countRows("approval", merchant.merchantId)) * 1003n;
    expect(await balanceOf(merchant)).toEqual([OPENING - dispatched, dispatched]);
  }
  await requireInvariants();
});
