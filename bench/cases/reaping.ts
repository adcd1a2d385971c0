// Creates and reads while the worker deletes old rows, compared with the same load without them.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Section } from "../bench";
import { overHttp, service } from "../contestants";
import { REAPED_CREATE, REAPED_READ, UNDISTURBED, WHILE_REAPING } from "../names";
import type { Case, Contestant } from "../rounds";
import type { Stage } from "../stage";
import { chooseSubject } from "../subject";
import { workerOf } from "../webhooks/shared";
import { creating } from "./creates";

const CONNECTIONS = [8];
const LOOK_EVERY_MS = 100;
/** The worker reaps old keys when it starts, and once a minute. */
const BEGINS_WITHIN_MS = 90_000;

async function oldKeys({ database }: Stage): Promise<number> {
  const sql = "SELECT count(*)::int AS n FROM idempotency_key WHERE created_at < now() - interval '25 hours'";
  return (await database.query<{ n: number }>(sql))[0]?.n ?? 0;
}

let piles = 0;

/** Inserts copies of the row that the writer's first create left in the table. */
const copies = (table: string) => `
  INSERT INTO ${table}
  SELECT r.* FROM (SELECT t FROM ${table} t WHERE merchant_id = $1 AND key = 'sample') s
  CROSS JOIN generate_series(1, $2::int) n
  CROSS JOIN LATERAL jsonb_populate_record(
    s.t, jsonb_build_object('key', $3::text || n, 'created_at', now() - interval '2 days')) r`;

/** Inserts keys from two days ago with their stored answers. One statement, or the worker could reap a key before its answer comes. */
async function pileUp({ database, writer }: Stage, rows: number): Promise<void> {
  piles += 1;
  await database.query(
    `WITH keys AS (${copies("idempotency_key")}) ${copies("idempotency_seal")}`,
    writer.id,
    rows,
    `old-${piles}-`,
  );
  await database.query("ANALYZE idempotency_key, idempotency_seal");
}

/** Ends the worker; the service starts another one, which begins by reaping. */
function restartWorker(stage: Stage): void {
  process.kill(workerOf(stage), "SIGTERM");
}

async function untilReaping(stage: Stage, rows: number): Promise<void> {
  const deadline = Date.now() + BEGINS_WITHIN_MS;
  while ((await oldKeys(stage)) >= rows) {
    if (Date.now() > deadline) throw new Error(`the worker began with none of ${rows} old keys`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Measures one kind of request, first with nothing to reap, then during reaping. */
async function measureBoth(bench: Bench, name: string, contestant: Contestant): Promise<void> {
  const { stage, options, measure, note } = bench;
  const settings = { ...options.settings, rounds: 1 };
  const under = (when: string): Case => ({
    name,
    connections: CONNECTIONS,
    contestants: [{ ...contestant, name: when }],
  });
  await measure(under(UNDISTURBED), settings);
  await pileUp(stage, options.pile);
  restartWorker(stage);
  await untilReaping(stage, options.pile);
  const [before, from] = [await oldKeys(stage), performance.now()];
  await measure(under(WHILE_REAPING), settings);
  const left = await oldKeys(stage);
  const value = (before - left) / ((performance.now() - from) / 1_000);
  const how = `${left.toLocaleString("en")} of ${options.pile.toLocaleString("en")} were left when the load ended`;
  note({ name: `${name}: old keys reaped meanwhile`, value, unit: "per second", note: how });
}

async function measureReaping(bench: Bench): Promise<void> {
  const { stage } = bench;
  const { ids } = await chooseSubject(stage);
  let turn = 0;
  const reading = overHttp({
    ...service(stage),
    authorization: stage.reader.authorization,
    next: () => ({ method: "GET", path: `/v1/payment_intents/${ids[turn++ % ids.length] ?? ""}` }),
  });
  await measureBoth(bench, REAPED_CREATE, creating(stage));
  await measureBoth(bench, REAPED_READ, reading);
}

export const reapingSection: Section = { name: "reaping", run: measureReaping };
