// Every caller gets its 503 in time while the database does not answer, and retries execute each request once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { paymentBody, payoutBody, topupBody, unused } from "../rest/bodies";
import { bodyOf, refusalOf } from "../rest/calls";
import { openWorld, type World } from "../rest/world";
import type { Answer, Api } from "../support/api";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";

/** The interface's bound for a 503. */
const BOUND_MS = 5_000;
/** The delay that a loaded machine adds between the service's answer and the caller's reading it. */
const MARGIN_MS = 1_500;

let world: World;
let api: Api;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  world = await openWorld(await startService());
  api = world.apiFor((await world.newMerchant()).keys.test);
});

test.afterAll(() => world.close());

interface Request {
  readonly path: string;
  readonly body: { readonly merchant_reference?: string | null | undefined };
  readonly key: string;
}

/** Creations of all three kinds in turn, each with its own key and reference. */
function requests(count: number): Request[] {
  return Array.from({ length: count }, (_, n) => {
    const key = unused("outage");
    if (n % 3 === 0) return { path: "/payment_intents", body: paymentBody(), key };
    if (n % 3 === 1) return { path: "/payout_intents", body: payoutBody({ amount: "100" }), key };
    return { path: "/topup_intents", body: topupBody(), key };
  });
}

const send = ({ path, body, key }: Request) => api.post(path, body, { headers: { "idempotency-key": key } });

async function timed(
  request: Request,
): Promise<{ readonly request: Request; readonly answer: Answer; readonly ms: number }> {
  const startedAt = performance.now();
  const answer = await send(request);
  return { request, answer, ms: performance.now() - startedAt };
}

/** The database's processes: the first one, which accepts connections, and one for each connection. */
async function databaseProcesses(): Promise<number[]> {
  const [row] = await world.database.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  const first = Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
  const rows = await world.database.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'",
  );
  return [first, ...rows.map(({ pid }) => pid)];
}

test("while the database hangs, creations of every kind are rejected within 5 s, and retries execute each once", async () => {
  for (const { status } of await Promise.all(requests(24).map(send))) expect(status).toBe(201);
  const waves = [requests(64), requests(32), requests(32)];
  const processes = await databaseProcesses();
  for (const pid of processes) process.kill(pid, "SIGSTOP");
  let outcomes: Awaited<ReturnType<typeof timed>>[];
  try {
    const waiting = waves.map(async (wave, n) => {
      await sleep(n * 1_500);
      return Promise.all(wave.map(timed));
    });
    outcomes = (await Promise.all(waiting)).flat();
  } finally {
    for (const pid of processes) process.kill(pid, "SIGCONT");
  }
  for (const { answer } of outcomes) expect(refusalOf(answer, 503).code).toBe("service_unavailable");
  const slowest = Math.max(...outcomes.map(({ ms }) => ms));
  expect(slowest, `the slowest of ${outcomes.length} callers`).toBeLessThan(BOUND_MS + MARGIN_MS);

  const retry = async ({ request }: { request: Request }) =>
    bodyOf<{ readonly id: string }>(await send(request), 201).id;
  const made = await Promise.all(outcomes.map(retry));
  const again = await Promise.all(outcomes.map(retry));
  expect(again).toEqual(made);
  expect(new Set(made).size).toBe(outcomes.length);
  const rows = await world.database.query<{ intents: number }>(
    `SELECT count(*)::int AS intents FROM (SELECT merchant_reference FROM payment_intent UNION ALL
       SELECT merchant_reference FROM payout_intent UNION ALL SELECT merchant_reference FROM topup_intent) i
     WHERE merchant_reference = ANY($1)`,
    outcomes.map(({ request }) => request.body.merchant_reference),
  );
  expect(rows).toEqual([{ intents: outcomes.length }]);
});
