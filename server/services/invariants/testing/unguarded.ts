// A connection without the database's guards, to plant impossible rows and revert them.
import { Client } from "pg";

/** Drops every CHECK and every unique index except primary keys, permanently: the database belongs to the test file. */
const DISARM = `
DO $$
DECLARE rule record;
BEGIN
  FOR rule IN SELECT conrelid::regclass AS of_table, conname FROM pg_constraint
              WHERE contype = 'c' AND coninhcount = 0 AND connamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.of_table, rule.conname);
  END LOOP;
  FOR rule IN SELECT indexrelid::regclass AS name FROM pg_index
              WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text NOT LIKE 'pg_%' LOOP
    EXECUTE format('DROP INDEX %s', rule.name);
  END LOOP;
END $$;

CREATE FUNCTION plant_booking(merchant text, environ text, curr text, intent text, why text, debit text, credit text, sum numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE transaction text := 'ltx_' || gen_random_uuid();
BEGIN
  INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at)
  VALUES (merchant, transaction, environ, why, transaction, intent, now());
  INSERT INTO ledger_account (merchant_id, environment, currency, kind)
  SELECT merchant, environ, curr, unnest(ARRAY[debit, credit]) ON CONFLICT DO NOTHING;
  WITH moved AS (
    UPDATE ledger_account a
    SET balance = balance + CASE WHEN kind = credit THEN sum ELSE -sum END, last_sequence = last_sequence + 1
    WHERE merchant_id = merchant AND environment = environ AND currency = curr AND kind IN (debit, credit)
    RETURNING kind, last_sequence)
  INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
  SELECT merchant, environ, curr, kind, last_sequence, transaction, CASE WHEN kind = credit THEN sum ELSE -sum END
  FROM moved;
END $$`;

export interface UnguardedDatabase {
  /** Runs the statements bypassing all triggers and foreign keys, then `look`, then rolls everything back. */
  planted<Seen>(sql: string, look: (read: <Row>(sql: string) => Promise<Row[]>) => Promise<Seen>): Promise<Seen>;
  close(): Promise<void>;
}

/** Drops the database's guards and opens the connection. */
export async function openUnguarded(databaseUrl: string | undefined): Promise<UnguardedDatabase> {
  if (!databaseUrl) throw new Error("these tests need DATABASE_URL");
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(DISARM);
  await client.query("SET session_replication_role = replica");
  return {
    async planted(sql, look) {
      await client.query("BEGIN");
      try {
        const results = (await client.query(sql)) as unknown;
        const touched = (Array.isArray(results) ? results : [results]) as { rowCount: number | null }[];
        if (touched.some(({ rowCount }) => rowCount === 0)) throw new Error("the plant found nothing to change");
        return await look(async <Row>(query: string) => (await client.query(query)).rows as Row[]);
      } finally {
        await client.query("ROLLBACK");
      }
    },
    close: () => client.end(),
  };
}
