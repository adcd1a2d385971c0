// The promise that worker processes killed at any moment lose no event: each arrives, under one id, in one form.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { sizeOf } from "@/e2e/support/tier";
import { query } from "@/server/db/client";
import { type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { createDeliveryWork } from "./deliver-due";
import { getEvent } from "./events";
import { makeAllDue, makeEndpoint, makeEvent, workUntil } from "./testing/deliveries";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

/** Workers that run, and are killed, side by side; and how often. */
const CONCURRENCY = 4;
const ROUNDS = sizeOf({ representative: 8, deep: 75 });
const EVENTS_A_ROUND = 4;
/** Bounds what hangs: on a busy machine each start of a process takes its time. */
const TIMEOUT_MS = 3_600_000;
const ROUND_WITHIN_MS = 120_000;

function startWorker(): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "server/worker/main.ts"], {
    env: { ...process.env, LOG_LEVEL: "fatal" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function killAfter(worker: ChildProcess, delayMs: number): Promise<void> {
  await pause(delayMs);
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.kill("SIGKILL");
  await ended;
}

/** Waits for as many deliveries as that, or until none are left to be waited for. */
async function untilReceived(receiver: LocalServer, count: number): Promise<void> {
  const end = performance.now() + ROUND_WITHIN_MS;
  while (receiver.received.length < count && performance.now() < end) await pause(2);
}

/** Starts workers and kills each at a moment of its own, shortly after a delivery arrives. */
async function playRound(receiver: LocalServer, merchant: TestMerchant, round: number): Promise<string[]> {
  const workers = Array.from({ length: CONCURRENCY }, startWorker);
  try {
    const events = await Promise.all(Array.from({ length: EVENTS_A_ROUND }, () => makeEvent(merchant)));
    // As if the claims of those who were killed had run out.
    await makeAllDue(merchant);
    await untilReceived(receiver, receiver.received.length + 1 + (round % 3));
    await Promise.all(workers.map((worker, n) => killAfter(worker, (round * 7 + n * 5) % 40)));
    return events;
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
  }
}

it(
  `after ${CONCURRENCY * ROUNDS} kills every event has arrived, under one id and in the same bytes`,
  async () => {
    const receiver = await startLocalServer();
    // Answers take a moment, so that kills fall before, during and after them.
    receiver.respond = (_received, response) => void setTimeout(() => response.end(), 20);
    const merchant = await makeMerchant();
    await makeEndpoint(merchant, `${receiver.url}/hooks`);
    const events: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) events.push(...(await playRound(receiver, merchant, round)));
    const work = createDeliveryWork();
    await makeAllDue(merchant);
    const isOver = async () => {
      const [row] = await query<{ left: number }>(
        "SELECT count(*)::int AS left FROM delivery WHERE state <> 'delivered'",
      );
      return row?.left === 0;
    };
    await workUntil(work, isOver);
    await work.finish();

    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      const id = headers.get("webhook-id") ?? "";
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    }
    expect([...bodies.keys()].sort()).toEqual([...events].sort());
    for (const id of events) expect([...(bodies.get(id) ?? [])]).toEqual([(await getEvent(merchant.scope, id)).body]);
    const repeats = receiver.received.length - events.length;
    // Kills that never fall between a receiver's answer and its record would prove nothing.
    expect(repeats).toBeGreaterThan(0);
    process.stdout.write(`${CONCURRENCY * ROUNDS} kills, ${events.length} events, ${repeats} of them sent again\n`);
    await receiver.stop();
    await requireInvariants();
  },
  TIMEOUT_MS,
);
