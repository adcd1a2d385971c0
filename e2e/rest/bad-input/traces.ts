// Finds traces of requests: the rows of every table, the state of every intent, the memory of the service.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../database";

/** Table or intent → its content. Equal traces mean that nothing was left behind. */
export type Traces = Readonly<Record<string, string>>;

/** Every request intentionally leaves a row here for developers, rejected ones in particular. */
const LOG = "api_log";

/** Table → its rows without the audit of wrong secrets, which is intended: one entry for each key and minute at most. */
const EXCEPT_REFUSED_KEYS: Readonly<Record<string, string>> = {
  audit_entry: "action <> 'api_key.refused'",
  audit_link: "entry_id NOT IN (SELECT id FROM audit_entry WHERE action = 'api_key.refused')",
  audit_pending: "entry_id NOT IN (SELECT id FROM audit_entry WHERE action = 'api_key.refused')",
};

async function tablesOf(database: Database): Promise<{ name: string; has_merchant: boolean }[]> {
  return database.query(
    `SELECT t.table_name AS name, EXISTS (SELECT FROM information_schema.columns c WHERE c.table_schema = t.table_schema
       AND c.table_name = t.table_name AND c.column_name = 'merchant_id') AS has_merchant
     FROM information_schema.tables t
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name <> '${LOG}'
       AND t.table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition) ORDER BY 1`,
  );
}

/** The merchants that exist before a spec creates its own: the worker may still process their intents. */
export async function merchantsOf(database: Database): Promise<string[]> {
  return (await database.query<{ id: string }>("SELECT id FROM merchant")).map(({ id }) => id);
}

/** Counts the rows of every table and records every intent's state, without those of the merchants `except`. */
export async function tracesOf(database: Database, except: readonly string[]): Promise<Traces> {
  const tables = await tablesOf(database);
  const counts = tables.map(
    ({ name, has_merchant: hasMerchant }) =>
      `SELECT '${name}' AS name, count(*)::text AS value FROM "${name}"
       WHERE ${EXCEPT_REFUSED_KEYS[name] ?? "true"}${hasMerchant ? " AND merchant_id <> ALL($1)" : ""}`,
  );
  const intents = ["payment_intent", "payout_intent", "topup_intent"].map(
    (table) => `SELECT id, status || ' ' || revision || ' ' || updated_at FROM ${table} WHERE merchant_id <> ALL($1)`,
  );
  const rows = await database.query<{ name: string; value: string }>(
    [...counts, ...intents].join(" UNION ALL "),
    except,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const QUIET_MS = 2_000;
const QUIET_WITHIN_MS = 60_000;

/**
 * Returns the traces once nothing has changed for a while, because the worker first finishes the created intents.
 * Throws if they never stop changing.
 */
export async function settledTracesOf(database: Database, except: readonly string[]): Promise<Traces> {
  const end = Date.now() + QUIET_WITHIN_MS;
  let last = await tracesOf(database, except);
  while (Date.now() < end) {
    await sleep(QUIET_MS);
    const next = await tracesOf(database, except);
    if (isDeepStrictEqual(next, last)) return next;
    last = next;
  }
  throw new Error(`rows still change after ${QUIET_WITHIN_MS} ms`);
}
