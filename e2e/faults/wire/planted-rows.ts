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
