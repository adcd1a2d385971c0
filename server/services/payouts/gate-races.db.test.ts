// The approval gate under many races: exactly one of the simultaneous actions moves the payout.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { ServiceError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { adoptPolicy, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { followUp } from "../intents/follow-up";
import { getIntent } from "../intents/read";
import { checkInvariants } from "../invariants/check";
import { approvePayoutIntent } from "./approve";
import { cancelPayoutIntent } from "./cancel";
import { createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

const TRIALS = sizeOf({ representative: 1_000, deep: 3_000 });
const TRIALS_OF_MANY = sizeOf({ representative: 200, deep: 3_000 });
const CONCURRENCY = 25;

/** The tests wait for no timer, but many trials take long on a busy machine. */
vi.setConfig({ testTimeout: 3_600_000 });

/** These check that a worker keeps up; this test runs none. */
const OF_A_WORKER = ["no_intent_is_overdue", "no_audit_entry_waits_long"];

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});

async function create() {
  return (await createPayoutIntent(merchant.context, payout({ amount: "1003" }), withoutIdempotency())).intent;
}
const approve = (id: string, by = merchant.byMember()) => approvePayoutIntent(by, { id });
const cancel = (id: string) => cancelPayoutIntent(merchant.context, { id, reason: null }, withoutIdempotency());

/** Runs the trials, some in parallel; each creates a payout and passes it to `race`. */
async function play<Result>(
  trials: number,
  race: (payout: Awaited<ReturnType<typeof create>>, trial: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let trial = next++; trial < trials; trial = next++) results.push(await race(await create(), trial));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return results;
}

/** Returns the indexes of the successful attempts; the gate must have rejected all others. */
async function winners(attempts: readonly Promise<unknown>[]): Promise<number[]> {
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result, n) => {
    if (result.status === "fulfilled") return [n];
    if (result.reason instanceof ServiceError && result.reason.code === "approval_required") return [];
    throw result.reason;
  });
}

async function countByStatus(): Promise<Record<string, number>> {
  const rows = await query<{ status: string; count: number }>(
    "SELECT status, count(*)::int AS count FROM payout_intent WHERE merchant_id = $1 GROUP BY status",
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function expectSound(): Promise<void> {
  await requireInvariants();
  const { checked } = await checkInvariants();
  const broken = checked.filter(({ name, rows }) => rows > 0 && !OF_A_WORKER.includes(name));
  expect(broken).toEqual([]);
}

describe("at the gate", () => {
  it(`an approval and a cancellation at once have one winner, each of ${TRIALS} times`, async () => {
    const rounds = await play(TRIALS, ({ id }, trial) =>
      winners(trial % 2 ? [cancel(id), approve(id)] : [approve(id), cancel(id)]),
    );
    expect(rounds.filter(({ length }) => length !== 1)).toEqual([]);
    const { cancelled = 0, processing = 0 } = await countByStatus();
    expect(cancelled + processing).toBe(TRIALS);
    expect(await countRows("event", merchant.merchantId)).toBe(cancelled);
    expect(await countRows("approval", merchant.merchantId)).toBe(processing);
    await expectSound();
  });

  it(`two approvals at once where one is required have one winner, each of ${TRIALS} times`, async () => {
    const rounds = await play(TRIALS, ({ id }) => winners([approve(id), approve(id)]));
    expect(rounds.filter(({ length }) => length !== 1)).toEqual([]);
    expect(await countByStatus()).toEqual({ processing: TRIALS });
    expect(await countRows("approval", merchant.merchantId)).toBe(TRIALS);
    await expectSound();
  });

  it("both of two simultaneous approvals count if two are required, and the gate opens once", async () => {
    await adoptPolicy(merchant, { rules: [], defaultApprovals: 2 });
    const rounds = await play(TRIALS_OF_MANY, ({ id }) => winners([approve(id), approve(id)]));
    expect(rounds.filter(({ length }) => length !== 2)).toEqual([]);
    expect(await countByStatus()).toEqual({ processing: TRIALS_OF_MANY });
    await expectSound();
  });

  it("one person's two simultaneous approvals count once if two are required", async () => {
    await adoptPolicy(merchant, { rules: [], defaultApprovals: 2 });
    const rounds = await play(TRIALS_OF_MANY, ({ id }) => {
      const person = merchant.byMember();
      return winners([approve(id, person), approve(id, person)]);
    });
    expect(rounds.filter(({ length }) => length !== 1)).toEqual([]);
    expect(await countByStatus()).toEqual({ requires_approval: TRIALS_OF_MANY });
    expect(await countRows("approval", merchant.merchantId)).toBe(TRIALS_OF_MANY);
    await expectSound();
  });

  it("simultaneous approvals, cancellation and lapse lead to one final status, and every approval counts", async () => {
    await adoptPolicy(merchant, { rules: [], defaultApprovals: 2 });
    const ends = await play(TRIALS_OF_MANY, async (intent, trial) => {
      const { id } = intent;
      const acts = [() => approve(id), () => approve(id), () => cancel(id), () => followUp(PAYOUTS, intent, now)];
      const turned = [...acts.slice(trial % 4), ...acts.slice(0, trial % 4)];
      await winners(turned.map((act) => act()));
      const { status, approvalsGiven, revision } = await getIntent(PAYOUTS, merchant.scope, id);
      const opened = status === "processing" && approvalsGiven === 2 && revision === 2;
      const ended = status === "cancelled" && approvalsGiven < 2 && revision === approvalsGiven + 1;
      return opened || ended;
    });
    expect(ends.filter((right) => !right)).toEqual([]);
    expect(await countRows("event", merchant.merchantId)).toBe((await countByStatus()).cancelled ?? 0);
    await expectSound();
  });
});
