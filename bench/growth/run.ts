// `npm run bench -- growth`: two years of lives, day by day, with the service's own retention, and what has grown by then.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Database } from "@/e2e/rest/database";
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { isLockTimeout } from "@/server/db/failures";
import { FATES, type Fate } from "../life/course";
import { sendLives, untilEnded } from "../life/load";
import { takeLife } from "../life/peer-rows";
import { lifeRequest, type Scene, setScene } from "../life/scene";
import type { Row } from "../peer/rows";
import { messageOf } from "../rounds";
import type { Party } from "../stage";
import { surroundings } from "../surroundings";
import { copyLives, type Life } from "./copies";
import { pagesOf, pagesPerCall, readSizes, STATEMENTS } from "./meters";
import { type GrowthResults, growthLines, growthMarkdown, isGrowthMet, type Mark } from "./report";

const DAY_MS = 86_400_000;
/** Of a run that is written into the tree. */
const FULL = { days: 730, livesPerDay: 250 };
/** When all old rows have begun to go: what is measured then is the yardstick. */
const FIRST_MARK = 60;
const CALLS = 200;
/** More than the days for which partitions are made ahead. */
const DAYS_AHEAD = 10;
const KEPT_DAYS = { api_log: 7, delivery_attempt: 30 } as const;
const PARTITION_TRIES = 20;
/** The search is filled that long after the end of a life, at the latest. */
const SEARCH_FILLED_MS = 5_000;

/** Lets the service play lives of every fate, and reads all that they left behind. */
async function playSamples(scene: Scene, parties: readonly Party[], { id }: Party): Promise<(readonly [Fate, Life])[]> {
  await scene.follow({ expiresAfterMs: 4_000, paidFromMs: 200, paidToMs: 1_000 });
  const { database } = scene.stage;
  await sendLives(scene, { parties, rate: 10, seconds: 6, sampleEveryMs: 1_000, sampledAfterMs: 0 });
  await untilEnded(scene, parties, 60);
  await sleep(SEARCH_FILLED_MS);
  const samples: (readonly [Fate, Life])[] = [];
  for (const fate of new Set(FATES)) {
    const life = await takeLife(database, id, fate);
    const terms = await database.query<{ row: Row }>(
      "SELECT to_jsonb(t) AS row FROM search_term t WHERE merchant_id = $1 AND object_id = $2",
      id,
      life.payment_intent[0]?.id,
    );
    if (terms.length === 0) throw new Error("search has not been filled");
    samples.push([fate, { ...life, search_term: terms.map(({ row }) => row) }]);
  }
  return samples;
}

/** Empties the logs, as if the service had been installed on that day. */
async function beginLogs(database: Database, at: Date): Promise<void> {
  const partitions = await database.query<{ name: string }>("SELECT name FROM log_partition");
  for (const { name } of partitions) await database.query(`DROP TABLE ${name}`);
  for (const log of Object.keys(KEPT_DAYS)) await database.query(`DELETE FROM ${log}`);
  await retain(database, at);
}

/** Tried again like the worker's, if autovacuum has a partition for longer than it waits. */
async function keepPartitions(database: Database, log: string, days: number, at: Date): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await database.query("SELECT keep_log_partitions_at($1, $2, $3)", log, days, at);
      return;
    } catch (error) {
      if (tries === PARTITION_TRIES || !isLockTimeout(error)) throw error;
    }
  }
}

/** What the worker removes and makes in a day. */
async function retain(database: Database, at: Date): Promise<void> {
  for (const [log, days] of Object.entries(KEPT_DAYS)) await keepPartitions(database, log, days, at);
  await database.query("DELETE FROM idempotency_key WHERE created_at < $1::timestamptz - interval '1 day'", at);
  await vacuum(database);
}

/** What autovacuum does at least once a day: a simulated day is over before it looks. */
async function vacuum(database: Database): Promise<void> {
  await database.query("VACUUM idempotency_key, idempotency_seal, api_log_default, delivery_attempt_default");
}

/** Removes the logged requests and keys of the measurement, whose time is the present. */
async function forgetMeasurement(database: Database, until: Date): Promise<void> {
  await database.query("DELETE FROM api_log_default");
  await database.query("DELETE FROM idempotency_key WHERE created_at > $1::timestamptz", until);
  await vacuum(database);
}

/** Ids of the first payments, which are in the oldest pages of every index. */
async function oldestIds(database: Database, merchantId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    "SELECT id FROM payment_intent WHERE merchant_id = $1 ORDER BY id LIMIT $2",
    merchantId,
    CALLS,
  );
  return rows.map(({ id }) => id);
}

async function measure(scene: Scene, party: Party, endpointId: string): Promise<Pick<Mark, "pages" | "walPerCreate">> {
  const { database, service } = scene.stage;
  await database.query("VACUUM ANALYZE");
  const old = await oldestIds(database, party.id);
  let calls = 0;
  const send = async (path: string, { body, key }: { readonly body?: object; readonly key?: string } = {}) => {
    calls += 1;
    const headers = { authorization: party.authorization, ...(key && { "idempotency-key": key }) };
    const posted = body && { method: "POST", body: JSON.stringify(body) };
    const type = body && { "content-type": "application/json" };
    const answer = await fetch(`${service.baseUrl}${path}`, { ...posted, headers: { ...headers, ...type } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  };
  const create = () => {
    const { path, body, key } = lifeRequest([party], 0);
    return send(path, { ...(body && { body }), ...(key && { key }) });
  };
  const operations: Readonly<Record<string, () => Promise<void>>> = {
    "create a payment": create,
    "read an old payment": () => send(`/v1/payment_intents/${old[calls % old.length]}`),
    "list payments": () => send("/v1/payment_intents"),
    "list failed payments": () => send("/v1/payment_intents?status=failed"),
    "list events": () => send("/v1/events"),
    "list logged requests": () => send("/v1/api_logs"),
  };
  const pages = await pagesPerCall(database, CALLS, operations);
  for (const [name, statement] of Object.entries(STATEMENTS)) {
    await pagesOf(database, ...statement(party.id, endpointId));
    pages[name] = await pagesOf(database, ...statement(party.id, endpointId));
  }
  const written = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes";
  const [before] = await database.query<{ bytes: number }>(written);
  for (let n = 0; n < CALLS; n += 1) await create();
  const [after] = await database.query<{ bytes: number }>(written);
  return { pages, walPerCreate: ((after?.bytes ?? 0) - (before?.bytes ?? 0)) / CALLS };
}

async function grow(scene: Scene, { days, livesPerDay }: Size): Promise<Mark[]> {
  const parties = await scene.addMerchants("growth");
  const [party] = parties;
  if (!party) throw new Error("there is no merchant");
  const samples = await playSamples(scene, parties, party);
  // Without a worker, which would take everything for old.
  await scene.stage.reopen({ WORKER_CONCURRENCY: "0" });
  const { database } = scene.stage;
  const [endpoint] = await database.query<{ id: string }>(
    "SELECT id FROM webhook_endpoint WHERE merchant_id = $1",
    party.id,
  );
  // The measurement's own rows are of the present. They must not fall into a partition of the last days, which stays.
  const begin = new Date(Date.now() - (days + DAYS_AHEAD) * DAY_MS);
  await beginLogs(database, begin);
  const marks: Mark[] = [];
  let lives = 0;
  for (let day = 1; day <= days; day += 1) {
    const from = new Date(begin.getTime() + (day - 1) * DAY_MS);
    for (const [fate, life] of samples) {
      const share = FATES.filter((one) => one === fate).length / FATES.length;
      const count = Math.round(livesPerDay * share);
      await copyLives(database, life, { from, ms: DAY_MS, before: lives, lives: count });
      lives += count;
    }
    await retain(database, new Date(from.getTime() + DAY_MS));
    if (![FIRST_MARK, Math.round(days / 2), days].includes(day)) continue;
    const touched = await measure(scene, party, endpoint?.id ?? "");
    await forgetMeasurement(database, new Date(from.getTime() + DAY_MS));
    // Files keep the room that the rows of a measurement took, so the first sizes have it, too.
    marks.push({ day, lives, ...touched, bytes: await readSizes(database) });
    process.stdout.write(`day ${day}: ${lives} lives\n`);
  }
  return marks;
}

interface Size {
  readonly days: number;
  readonly livesPerDay: number;
}

function sizeOf(words: readonly string[]): Size {
  const { values } = parseArgs({
    args: [...words],
    options: {
      days: { type: "string", default: String(FULL.days) },
      "lives-per-day": { type: "string", default: String(FULL.livesPerDay) },
    },
  });
  const [days, livesPerDay] = [Number(values.days), Number(values["lives-per-day"])];
  if (!Number.isInteger(days) || days <= FIRST_MARK) throw new TypeError(`--days must be more than ${FIRST_MARK}`);
  if (!Number.isInteger(livesPerDay) || livesPerDay < 10) throw new TypeError("--lives-per-day must be 10 or more");
  return { days, livesPerDay };
}

/** Runs the simulation and writes its results; returns the exit status. */
export async function runGrowth(words: readonly string[]): Promise<number> {
  try {
    const size = sizeOf(words);
    const scene = await setScene();
    try {
      const results: GrowthResults = { ...size, marks: await grow(scene, size) };
      const around = await surroundings(scene.stage, PROJECT_ROOT);
      const isFull = size.days >= FULL.days && size.livesPerDay >= FULL.livesPerDay;
      const folder = join(PROJECT_ROOT, isFull ? "bench" : ".data/bench");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "GROWTH.md"), growthMarkdown(around, results));
      writeFileSync(join(folder, "growth.json"), `${JSON.stringify({ ...around, ...results }, null, 2)}\n`);
      process.stdout.write(`\n${growthLines(results)}\n`);
      return isGrowthMet(results) ? 0 : 1;
    } finally {
      await scene.close();
    }
  } catch (error) {
    process.stderr.write(`FAILED: ${messageOf(error)}\n`);
    return 1;
  }
}
