// What has grown: bytes by table, and the pages that the service's statements touch.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/e2e/rest/database";
import { claimStatement } from "@/server/db/intents/claim";
import { ACTIVITY } from "@/server/db/webhooks/health";
import { STATISTICS_LATE_MS } from "../life/meters";

/** Bytes of each table with its indexes, of a partitioned one with all its partitions. */
export async function readSizes(database: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await database.query<{ name: string; bytes: number }>(
    `SELECT coalesce(pg_partition_root(relid)::regclass::text, relname) AS name, sum(pg_total_relation_size(relid))::float8 AS bytes
     FROM pg_stat_user_tables WHERE schemaname = 'public' GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

async function pagesTouched(database: Database): Promise<number> {
  await sleep(STATISTICS_LATE_MS);
  const [row] = await database.query<{ pages: number }>(
    "SELECT (blks_hit + blks_read)::float8 AS pages FROM pg_stat_database WHERE datname = current_database()",
  );
  if (!row) throw new Error("the server reports no statistics");
  return row.pages;
}

/**
 * Pages that one call of each operation touches, on the average of many, the service's look-ups of key and merchant
 * included.
 */
export async function pagesPerCall(
  database: Database,
  calls: number,
  operations: Readonly<Record<string, () => Promise<void>>>,
): Promise<Record<string, number>> {
  const repeat = async (call: () => Promise<void>, times: number) => {
    for (let n = 0; n < times; n += 1) await call();
  };
  // The first calls fill caches and make plans.
  for (const call of Object.values(operations)) await repeat(call, calls / 10);
  const pages: Record<string, number> = {};
  let before = await pagesTouched(database);
  for (const [name, call] of Object.entries(operations)) {
    await repeat(call, calls);
    const after = await pagesTouched(database);
    pages[name] = (after - before) / calls;
    before = after;
  }
  return pages;
}

interface Plan {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };
}

/** Pages that a statement touches; what it changes is undone. */
export async function pagesOf(database: Database, sql: string, ...values: unknown[]): Promise<number> {
  await database.query("BEGIN");
  try {
    const [row] = await database.query<{ "QUERY PLAN": [Plan] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      ...values,
    );
    const { Plan } = (row as { "QUERY PLAN": [Plan] })["QUERY PLAN"][0];
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  } finally {
    await database.query("ROLLBACK");
  }
}

/** The worker's claim of due payments, and the health of an endpoint as the dashboard reads it. */
export const STATEMENTS: Readonly<Record<string, (merchantId: string, endpointId: string) => [string, ...unknown[]]>> =
  {
    "claim due payments": () => [claimStatement("payment_intent", "id", { awaitsPayers: true }), 50, 30_000, "{}", 50],
    "health of an endpoint": (merchantId, endpointId) => [ACTIVITY, merchantId, "test", endpointId],
  };
