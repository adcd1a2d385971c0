// `npm run bench -- search`: searches among ten million payments of a merchant, and what the filling of its table costs creates.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { FIND_AT_PROVIDER, FIND_TERMS, findIdsStatement } from "@/server/db/search/find";
import { readIdRange, SEARCHED_INTENTS } from "@/server/domain/search-text";
import { creation } from "../cases/creates";
import { databaseSeconds } from "../database";
import { pagesOf } from "../growth/meters";
import { sendLoad } from "../load";
import { cpuSecondsOf } from "../proc";
import { runToItsEnd } from "../processes";
import { messageOf } from "../rounds";
import { type Party, type Stage, setStage } from "../stage";
import { surroundings } from "../surroundings";
import { isSearchMet, type Pair, type SearchResults, searchLines, searchMarkdown } from "./report";
import type { FollowCost, FollowTask, SearchTask, SearchTimes } from "./task";

const FULL = 10_000_000;
/** Of the merchant that the other is compared with. */
const FEW = 100_000;
const SHOWN = 6;
const TIMES = 40;
const CREATED = 20_000;

const REFERENCES = {
  "the beginning of all references": "seed-",
  "the beginning of many": "seed-77",
  "a whole reference": "seed-77777",
  "what nothing has": "no such order",
};
/** All seeded payments have the same amount. */
const TEXTS = { ...REFERENCES, "the amount of all": "10.50", "the beginning of ids": "dord_000000007" };

/** The terms of seeded payments, which no entry of the audit log tells the worker about. */
const SEED_TERMS = `
  INSERT INTO search_term (merchant_id, environment, kind, field, term, rank, object_id)
  SELECT merchant_id, environment, 'payment_intent', field, term, -trunc(extract(epoch FROM created_at) * 1000)::bigint, id
  FROM payment_intent
  CROSS JOIN LATERAL (VALUES ('reference', search_folded(merchant_reference)), ('amount', search_amount(currency, amount)))
    AS terms(field, term)
  WHERE merchant_id = $1 ORDER BY field, term, 6, id`;

async function addMerchant({ addParty, seed, database }: Stage, payments: number): Promise<Party> {
  const party = await addParty("Bench search");
  await seed(party, payments);
  await database.query(SEED_TERMS, party.id);
  process.stdout.write(`${payments.toLocaleString("en")} payments and their terms are there\n`);
  return party;
}

/** The statements of a search, with the values for what was typed. */
const STATEMENTS: Readonly<Record<string, readonly [sql: string, ...values: unknown[]]>> = {
  ...Object.fromEntries(Object.entries(REFERENCES).map(([name, text]) => [name, terms("reference", text)])),
  "the amount of all": terms("amount", "BRL 04 1050"),
  "the beginning of ids": ids(TEXTS["the beginning of ids"]),
  "a provider's reference": [FIND_AT_PROVIDER, "no such reference", SHOWN],
};

function terms(field: string, text: string): readonly [string, ...unknown[]] {
  return [FIND_TERMS, SEARCHED_INTENTS, SEARCHED_INTENTS.map(() => field), SEARCHED_INTENTS.map(() => text), SHOWN];
}

function ids(beginning: string): readonly [string, ...unknown[]] {
  const range = readIdRange(beginning);
  if (!range) throw new Error(`${beginning} is no beginning of an id`);
  return [findIdsStatement("payment_intent"), range.lowest, range.highest, SHOWN];
}

async function countPages({ database }: Stage, parties: readonly Party[]): Promise<Record<string, Pair>> {
  const pages: Record<string, Pair> = {};
  for (const [name, [sql, ...values]] of Object.entries(STATEMENTS)) {
    const counts: number[] = [];
    // Twice: the first also reads pages of the catalog.
    for (const { id } of [...parties, ...parties]) counts.push(await pagesOf(database, sql, id, "test", ...values));
    pages[name] = counts.slice(parties.length) as unknown as Pair;
  }
  return pages;
}

type Access = Pick<SearchTask, "databaseUrl" | "secretsFile">;

async function timeSearches(access: Access, parties: readonly Party[]): Promise<Record<string, Pair>> {
  const task: SearchTask = {
    ...access,
    kind: "search",
    merchantIds: parties.map(({ id }) => id),
    texts: TEXTS,
    times: TIMES,
  };
  const times = await runToItsEnd<SearchTimes>("search/searcher.ts", task);
  for (const [name, text] of Object.entries(TEXTS)) {
    const isFound = text !== TEXTS["what nothing has"];
    const founds = times[name]?.map(({ found }) => found > 0) ?? [];
    if (founds.some((found) => found !== isFound)) throw new Error(`${text} was ${isFound ? "not found" : "found"}`);
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, all.map(({ ms }) => ms) as unknown as Pair]),
  );
}

/** CPU seconds of Postgres and of what else works, during the work. */
async function costOf(stage: Stage, work: () => Promise<number>): Promise<number> {
  const before = (await databaseSeconds(stage)) ?? Number.NaN;
  const own = await work();
  return ((await databaseSeconds(stage)) ?? Number.NaN) - before + own;
}

async function measureCreates(stage: Stage, access: Access): Promise<Pick<SearchResults, "cpu" | "createdPayments">> {
  const follow = (kind: FollowTask["kind"]) =>
    costOf(stage, async () => (await runToItsEnd<FollowCost>("search/searcher.ts", { ...access, kind })).cpuSeconds);
  const { baseUrl, pid } = stage.service;
  const { authorization } = stage.writer;
  const load = { baseUrl, authorization, next: creation, connections: 8, seconds: 3 };
  const secondsOfService = () => cpuSecondsOf(pid) ?? Number.NaN;
  // Code is compiled, and what earlier steps left behind is linked and filled.
  await sendLoad(load);
  await follow("link");
  await follow("fill");
  let createdPayments = 0;
  const create = await costOf(stage, async () => {
    const before = secondsOfService();
    while (createdPayments < CREATED) {
      const { done, failed } = await sendLoad(load);
      if (failed > 0) throw new Error(`${failed} creates failed`);
      createdPayments += done;
    }
    return secondsOfService() - before;
  });
  return { createdPayments, cpu: { create, link: await follow("link"), fill: await follow("fill") } };
}

async function readBytes({ database }: Stage): Promise<SearchResults["bytes"]> {
  const [bytes] = await database.query<SearchResults["bytes"]>(
    `SELECT pg_table_size('search_term')::float8 AS table, pg_indexes_size('search_term')::float8 AS key`,
  );
  if (!bytes) throw new Error("there is no search table");
  return bytes;
}

async function measure(stage: Stage, payments: number): Promise<SearchResults> {
  const access = { databaseUrl: stage.databaseUrl, secretsFile: join(stage.service.dataDir, "secrets") };
  const created = await measureCreates(stage, access);
  const parties = [await addMerchant(stage, FEW), await addMerchant(stage, payments)];
  await stage.database.query("VACUUM ANALYZE search_term");
  return {
    ...created,
    payments: [FEW, payments],
    pages: await countPages(stage, parties),
    ms: await timeSearches(access, parties),
    bytes: await readBytes(stage),
  };
}

function readPayments(words: readonly string[]): number {
  const { values } = parseArgs({ args: [...words], options: { payments: { type: "string", default: String(FULL) } } });
  const payments = Number(values.payments);
  // A whole reference that is typed must exist.
  if (!Number.isInteger(payments) || payments < FEW) throw new TypeError(`--payments must be ${FEW} or more`);
  return payments;
}

/** Runs it and writes its results; returns the exit status. */
export async function runSearch(words: readonly string[]): Promise<number> {
  try {
    const payments = readPayments(words);
    // Without a worker: filling is measured by itself.
    const stage = await setStage({ isQuick: true }, { WORKER_CONCURRENCY: "0" });
    try {
      const results = await measure(stage, payments);
      const around = await surroundings(stage, PROJECT_ROOT);
      const folder = join(PROJECT_ROOT, payments >= FULL ? "bench" : ".data/bench");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "SEARCH.md"), searchMarkdown(around, results));
      writeFileSync(join(folder, "search.json"), `${JSON.stringify({ ...around, ...results }, null, 2)}\n`);
      process.stdout.write(`\n${searchLines(results)}\n`);
      return isSearchMet(results) ? 0 : 1;
    } finally {
      await stage.close();
    }
  } catch (error) {
    process.stderr.write(`FAILED: ${messageOf(error)}\n`);
    return 1;
  }
}
