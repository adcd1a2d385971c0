// Reads the service's database, for what specs must prove about rows that no answer shows.
import { Pool } from "pg";
import { embeddedUrl } from "../support/kept-data";
import type { ServiceAddress } from "../support/service";

export interface Database {
  query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Connects to the database at the address, or to the embedded one of the service with that data folder. */
export async function openDatabase(dataDir: string, url = embeddedUrl(dataDir)): Promise<Database> {
  // One connection, which keeps its settings. A database that ends breaks it; the next query then opens another one.
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  await pool.query("SELECT");
  return {
    async query<Row extends object>(sql: string, ...values: unknown[]) {
      return (await pool.query<Row>(sql, values)).rows;
    },
    close: () => pool.end().catch(() => {}),
  };
}

/** Connects to the database of the specs' merchants. */
export function openDatabaseOf({ dataDir, database, cell }: ServiceAddress): Promise<Database> {
  return openDatabase(dataDir, cell?.databaseUrl ?? database?.DATABASE_URL);
}

export interface EventRow {
  readonly type: string;
  readonly environment: string;
  readonly status: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

/** Every outbound event of an intent, with the columns of the catalogue's payload. */
export function eventsOf(database: Database, intentId: string): Promise<EventRow[]> {
  return database.query<EventRow>(
    "SELECT type, environment, status, failure_code, failure_message FROM event WHERE intent_id = $1",
    intentId,
  );
}

/** The bookings of an intent, per reason and account, in order. */
export async function bookingsOf(database: Database, intentId: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `SELECT t.reason || ' ' || e.kind || ' ' || e.amount || ' ' || e.currency AS line
     FROM ledger_transaction t JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
     WHERE t.intent_id = $1 ORDER BY t.created_at, t.id, e.amount`,
    intentId,
  );
  return rows.map(({ line }) => line);
}

/** How many times a provider was called to create the intent. */
export async function attemptsOf(database: Database, intentId: string): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM provider_attempt WHERE intent_id = $1",
    intentId,
  );
  return row?.n ?? 0;
}

/** The reference of the intent at providers. */
export async function referenceOf(database: Database, intentId: string): Promise<string> {
  const [row] = await database.query<{ reference: string }>(
    `SELECT coalesce(dispatch_reference, id) AS reference FROM (
       SELECT id, dispatch_reference FROM payment_intent UNION ALL
       SELECT id, dispatch_reference FROM payout_intent UNION ALL
       SELECT id, dispatch_reference FROM topup_intent) i WHERE id = $1`,
    intentId,
  );
  if (!row) throw new Error(`no intent ${intentId}`);
  return row.reference;
}

/** Ends the payer's window now, and makes the payment due. */
export async function endPayersWindow(database: Database, paymentId: string): Promise<void> {
  await database.query(
    "UPDATE payment_intent SET expires_at = now() - interval '2 minutes', due_at = now() WHERE id = $1",
    paymentId,
  );
}
