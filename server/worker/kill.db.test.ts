// A worker killed at any moment between taking a payout up and recording what came of it leaves a payout that is
// executed once and finished by the next worker: real processes, a provider over HTTP, real Postgres.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Rule } from "@/e2e/support/fake-psp/faults";
import { type FakePsp, startFakePsp } from "@/e2e/support/fake-psp/start";
import { query } from "@/server/db/client";
import { configureGateways } from "@/server/psp/registry";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { requireInvariants } from "@/server/services/invariants/testing/require-invariants";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { requireSoundness } from "@/server/testing/invariants";
import { makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { sizeOf } from "@/server/testing/tier";

/**
 * A point is a payout that a worker had claimed and announced to its provider, and of which it had not recorded what came,
 * when it was killed. Those that were claimed only are not counted.
 */
const POINTS = sizeOf({ representative: 40, deep: 300 });
const PER_ROUND = 8;
/** At least so many kills: each sign comes with two of the moments after it. */
const KILLS = 10;
const AMOUNT = 1_050;

/** The end is reached by conditions alone; this bounds what hangs. */
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

/** What the provider does to the calls about the payouts of a round: it answers late, or executes and does not answer. */
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

/** What is waited for before the moment of the kill: it shows how far one payout of the round has come at least. */
const SIGNS: Readonly<Record<string, (ids: readonly string[]) => Promise<boolean>>> = {
  claimed: async (ids) =>
    (await count("SELECT 1 FROM payout_intent WHERE id = ANY($1) AND due_at > now() + interval '20 seconds'", ids)) > 0,
  announced: async (ids) => (await count("SELECT 1 FROM provider_attempt WHERE intent_id = ANY($1)", ids)) > 0,
  seen: async (ids) => (await psp.calls()).some(({ idempotency_key: key }) => key && ids.includes(key)),
  executed: async (ids) => (await psp.record()).some(({ reference }) => ids.includes(reference)),
  answered: async (ids) =>
    (await count("SELECT 1 FROM provider_attempt WHERE intent_id = ANY($1) AND state <> 'started'", ids)) > 0,
};

/** So long after its sign a worker is killed, in ms. */
const MOMENTS = [0, 3, 8, 17, 35];

/** Payouts whose worker is dead by stage; their claims are made to run out, as they would in 30 s. */
async function takeClaims(): Promise<string[]> {
  const rows = await query<{ stage: string }>(
    `WITH caught AS (
       UPDATE payout_intent SET due_at = now()
       WHERE status = 'processing' AND due_at > now() + interval '5 seconds' RETURNING merchant_id, id)
     SELECT coalesce(max(a.state), 'claimed') AS stage FROM caught c
     LEFT JOIN provider_attempt a ON a.merchant_id = c.merchant_id AND a.intent_id = c.id GROUP BY c.id`,
  );
  return rows.map(({ stage }) => stage);
}

it(`killed at ${POINTS} points and more, workers leave payouts that are executed once, finished, and in the books`, async () => {
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
  // The older a payout, the longer until it is looked at again: here nobody waits for that.
  const open = async () => {
    // Rows that the worker is writing are left to it: waiting for several of them could deadlock with its batch.
    await query(
      `UPDATE payout_intent SET due_at = now() WHERE (merchant_id, id) IN (
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
  await requireSoundness();
  await requireInvariants();
});
