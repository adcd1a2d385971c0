// Kills workers between the claim of a payout and the record of its result. Each payout must be executed once and
// finished by the next worker. Uses real processes, a provider over HTTP and real Postgres.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Rule } from "@/e2e/support/fake-psp/faults";
import { type FakePsp, startFakePsp } from "@/e2e/support/fake-psp/start";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { configureGateways } from "@/server/psp/registry";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";

/**
 * A point is a payout whose worker was killed after announcing the call and before recording its result. Payouts that
 * were only claimed do not count.
 */
const POINTS = sizeOf({ representative: 40, deep: 300 });
const PER_ROUND = 8;
/** The minimum number of kills: each sign runs with two of the moments. */
const KILLS = 10;
const AMOUNT = 1_050;

/** The test waits for conditions only; the timeout catches a hang. */
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 60_000 });

const ENTRY = fileURLToPath(new URL("./main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let psp: FakePsp;
let merchants: readonly TestMerchant[];
const workers = new Set<ChildProcess>();
beforeAll(async () => {
  psp = await startFakePsp();
  configureGateways(JSON.stringify([psp.config()]));
  merchants = await Promise.all([makeLiveMerchant(), makeLiveMerchant()]);
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await psp.stop();
});

interface Worker {
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

function startWorker(): Worker {
  const env: NodeJS.ProcessEnv = { ...process.env, PROVIDERS: JSON.stringify([psp.config()]) };
  const child = spawn(process.execPath, ["--import", "tsx", ENTRY], { cwd: ROOT, env, stdio: "ignore" });
  workers.add(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    async end(signal) {
      child.kill(signal);
      await ended;
      workers.delete(child);
    },
  };
}

/** How the provider misbehaves on the payouts of a round: it answers late, or executes and does not answer. */
const MODES: readonly Rule["mode"][] = ["delay", "delay", "delay", "execute_then_hang", "hang", "execute_then_drop"];

async function makePayouts(round: number): Promise<string[]> {
  const ids: string[] = [];
  for (let turn = 0; turn < PER_ROUND; turn += 1) {
    const { context } = merchants[turn % 2] as TestMerchant;
    const { intent } = await createPayoutIntent(context, payout({ amount: String(AMOUNT) }), withoutIdempotency());
    const mode = MODES[(round + turn) % MODES.length] ?? "delay";
    await psp.misbehave({ mode, ms: 15 * turn, kind: "payouts", operation: "create", reference: intent.id, times: 1 });
    ids.push(intent.id);
  }
  return ids;
}

const count = async (sql: string, ids: readonly string[]) => (await query(sql, ids)).length;

/** The condition to wait for before a kill: at least one payout of the round has reached this stage. */
const SIGNS: Readonly<Record<string, (ids: readonly string[]) => Promise<boolean>>> = {
  claimed: async (ids) =>
    (await count("SELECT 1 FROM payout_intent WHERE id = ANY($1) AND due_at > now() + interval '20 seconds'", ids)) > 0,
  announced: async (ids) => (await count("SELECT 1 FROM provider_attempt WHERE intent_id = ANY($1)", ids)) > 0,
  seen: async (ids) => (await psp.calls()).some(({ idempotency_key: key }) => key && ids.includes(key)),
  executed: async (ids) => (await psp.record()).some(({ reference }) => ids.includes(reference)),
  answered: async (ids) =>
    (await count("SELECT 1 FROM provider_attempt WHERE intent_id = ANY($1) AND state <> 'started'", ids)) > 0,
};

/** Delays between a sign and the kill, in ms. */
const MOMENTS = [0, 3, 8, 17, 35];

/** Expires the claims of the dead worker, as 30 s would, and returns the stage of each of its payouts. */
async function takeClaims(): Promise<string[]> {
  const rows = await query<{ stage: string }>(
    `WITH caught AS (
       UPDATE payout_intent SET due_at = now() - interval '1 second'
       WHERE status = 'processing' AND due_at > now() + interval '5 seconds' RETURNING merchant_id, id)
     SELECT coalesce(max(a.state), 'claimed') AS stage FROM caught c
     LEFT JOIN provider_attempt a ON a.merchant_id = c.merchant_id AND a.intent_id = c.id GROUP BY c.id`,
  );
  return rows.map(({ stage }) => stage);
}

it(`executes, finishes and books each payout once although workers are killed at ${POINTS} points or more`, async () => {
  const ids: string[] = [];
  const stages: Record<string, number> = {};
  let points = 0;
  for (let round = 0; points < POINTS || round < KILLS; round += 1) {
    const fresh = await makePayouts(round);
    ids.push(...fresh);
    const signs = Object.values(SIGNS);
    const hasSign = signs[round % signs.length] as (ids: readonly string[]) => Promise<boolean>;
    const worker = startWorker();
    await vi.waitUntil(() => hasSign(fresh), { timeout: 120_000, interval: 5 });
    await pause(MOMENTS[Math.floor(round / signs.length) % MOMENTS.length] ?? 0);
    await worker.end("SIGKILL");
    const caught = await takeClaims();
    points += caught.filter((stage) => stage !== "claimed").length;
    for (const stage of caught) stages[stage] = (stages[stage] ?? 0) + 1;
  }

  const last = startWorker();
  // Older payouts are polled less often; the test makes them due at once.
  const open = async () => {
    // Skips rows that the worker is writing: waiting for several could deadlock with its batch.
    await query(
      `UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE (merchant_id, id) IN (
         SELECT merchant_id, id FROM payout_intent WHERE due_at IS NOT NULL FOR UPDATE SKIP LOCKED)`,
    );
    return query("SELECT id FROM payout_intent WHERE due_at IS NOT NULL");
  };
  await vi.waitUntil(async () => (await open()).length === 0, { timeout: 300_000, interval: 1_000 });
  await last.end("SIGTERM");

  expect(points).toBeGreaterThanOrEqual(POINTS);
  expect(stages.started).toBeGreaterThan(0);
  const executed = (await psp.record()).filter(({ event }) => event === "executed");
  const executions = executed.map(({ reference, amount, currency }) => `${reference} ${amount} ${currency}`);
  expect(executions.toSorted()).toEqual(ids.map((id) => `${id} ${AMOUNT} BRL`).toSorted());
  const booked = await query<{ line: string }>(
    `SELECT t.intent_id || ' ' || e.amount || ' ' || e.currency AS line FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE starts_with(e.kind, 'provider_clearing') ORDER BY 1`,
  );
  expect(booked.map(({ line }) => line).toSorted()).toEqual(executions.toSorted());
  await requireInvariants();
});
