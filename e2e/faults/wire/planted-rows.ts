// Rows that scenarios begin with, written past the service.
import type { Database } from "../../rest/database";

/** An unresolved exception about an intent of the test environment; returns its id. */
export async function openException(database: Database, merchantId: string, intentId: string): Promise<string> {
  const id = `exc_${intentId.slice(intentId.indexOf("_") + 1)}`;
  await database.query(
    `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
     VALUES ($1, $2, 'test', 'stuck', $3, $2, '{}', now())`,
    merchantId,
    id,
    intentId,
  );
  return id;
}

/** The operator gets a mail at that address about every exception, and nobody else is notified. */
export async function registerOperator(database: Database, address: string): Promise<void> {
  await database.query("DELETE FROM notification_registration");
  await database.query(
    `INSERT INTO notification_registration
       (merchant_id, id, environment, channel, address, types, pace, time_zone, daily_at, created_at)
     VALUES ('', 'nrg_1', 'test', 'mail', $1, '{exception_opened}', 'immediate', 'UTC', 0, now())`,
    address,
  );
}

/** Drops the newest partition of a log, as if nobody had made it; returns a query that counts the partitions. */
export async function dropNewestPartition(
  database: Database,
  log: "api_log" | "delivery_attempt",
): Promise<() => Promise<number>> {
  const [newest] = await database.query<{ name: string }>(
    "SELECT name FROM log_partition WHERE log = $1 ORDER BY ends_at DESC LIMIT 1",
    log,
  );
  await database.query(`DROP TABLE ${newest?.name}`);
  const count = "SELECT count(*)::int AS count FROM log_partition WHERE log = $1";
  return async () => (await database.query<{ count: number }>(count, log))[0]?.count ?? 0;
}

/** A request that was logged years ago under an id that no partition has; returns a query that counts it. */
export async function strayRequest(database: Database, merchantId: string): Promise<() => Promise<number>> {
  await database.query(
    `INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address, created_at)
     VALUES ($1, 'test', 'req_7' || repeat('z', 25), '', 'GET', '', '', 200, 1, '', now() - interval '20 years')`,
    merchantId,
  );
  const count = "SELECT count(*)::int AS count FROM api_log WHERE id LIKE 'req_7%'";
  return async () => (await database.query<{ count: number }>(count))[0]?.count ?? 0;
}
