// Tampers with the audit log, bypassing every trigger and foreign key, and restores it.
import { Client } from "pg";
import { env } from "@/server/platform/env";

const LOG_TABLES = ["audit_entry", "audit_link", "audit_chain", "audit_pending"];

/** Tables with audited rows, and their related tables. */
export const COVERED_TABLES = [
  "payment_intent",
  "payout_intent",
  "topup_intent",
  "approval",
  "event",
  "ledger_transaction",
  "ledger_entry",
  "ledger_account",
  "topup_total",
  "provider_attempt",
];

export interface Tamperer {
  /** Runs statements with all rights, in one transaction; `$1` is `value`. */
  tamper(statements: readonly string[], value?: string): Promise<void>;
  /** Restores every row of the tables to its state at opening. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Copies the tables and opens a connection that bypasses their triggers and foreign keys. */
export async function openTamperer(tables: readonly string[] = LOG_TABLES): Promise<Tamperer> {
  const client = new Client({ connectionString: env().databaseUrl ?? "" });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  for (const table of tables) await client.query(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM ${table}`);

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await client.query("BEGIN");
    try {
      await work();
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    }
  }

  return {
    tamper: (statements, value) =>
      inTransaction(async () => {
        for (const sql of statements) {
          const { rowCount } = await client.query(sql, sql.includes("$1") ? [value] : []);
          if (!rowCount) throw new Error(`nothing was tampered with by ${sql}`);
        }
      }),
    restore: () =>
      inTransaction(async () => {
        for (const table of tables) {
          await client.query(`DELETE FROM ${table}`);
          await client.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
        }
      }),
    close: () => client.end(),
  };
}
