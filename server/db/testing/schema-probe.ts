// Trying rows on a real database in bare SQL and telling which rule refused them, for the tests of the schema.
import { Client, DatabaseError } from "pg";
import { ROWS, type Row } from "./schema-rows";

/** What a row of the table points at, so that only the row itself can be the reason of a refusal. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  merchant_brand: ["merchant"],
  merchant_currency: ["merchant"],
  api_key: ["merchant"],
  member: ["merchant"],
  topup_terms: ["merchant"],
  payout_limit: ["merchant"],
  approval_policy: ["merchant"],
  sandbox_clock: ["merchant"],
  approval: ["merchant", "member", "payout_intent"],
  member_session: ["merchant", "member"],
  member_setting: ["merchant", "member"],
  member_totp: ["merchant", "member"],
  member_passkey: ["merchant", "member"],
  member_identity: ["merchant", "member"],
  fresh_sign_in: ["merchant", "member", "member_session"],
  authority_notice: ["merchant", "member"],
  notification_registration: ["merchant", "member"],
  notification: ["merchant", "member", "notification_registration"],
  payout_screening: ["merchant", "payout_intent"],
  payout_recipient: ["merchant", "member"],
  suspense_refund: ["merchant", "member", "exception"],
  one_time_link: ["merchant", "member"],
  saved_view: ["merchant", "member"],
  idempotency_seal: ["idempotency_key"],
  settlement_line: ["settlement_file"],
  webhook_endpoint: ["merchant"],
  delivery: ["merchant", "webhook_endpoint", "event"],
  delivery_attempt: ["merchant", "webhook_endpoint", "event", "delivery"],
};

export interface SchemaProbe {
  /** Runs one statement. */
  run<Result extends object>(sql: string, values?: readonly unknown[]): Promise<Result[]>;
  /** Inserts the table's valid row, with changes. */
  insert(table: string, changes?: Row): Promise<void>;
  /** The same, after the rows it points at. */
  insertWithNeeds(table: string, changes?: Row): Promise<void>;
  /** A balanced transfer of 100 from `funding` to `available`: two accounts, a transaction, two entries. */
  insertTransfer(secondEntry?: Row): Promise<void>;
  /** Name of the rule that refuses the work, at the latest where COMMIT would, or "nothing". Leaves no trace. */
  refusedBy(work: () => Promise<unknown>): Promise<string>;
  /** Name of the rule that refuses a COMMIT of the work; "nothing" when it is committed. */
  refusedAtCommit(work: () => Promise<unknown>): Promise<string>;
  /** Removes every row, beneath all triggers. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

async function ruleOf(attempt: () => Promise<unknown>): Promise<string> {
  try {
    await attempt();
    return "nothing";
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return error.constraint ?? error.message;
  }
}

/** A probe of a migrated database, on one connection of its own. */
export async function openSchemaProbe(databaseUrl: string | undefined): Promise<SchemaProbe> {
  if (!databaseUrl) throw new Error("these tests need DATABASE_URL");
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();

  const probe: SchemaProbe = {
    async run<Result extends object>(sql: string, values: readonly unknown[] = []) {
      return (await client.query<Result>(sql, [...values])).rows;
    },

    async insert(table, changes = {}) {
      const row = { ...ROWS[table], ...changes };
      const columns = Object.keys(row);
      const parameters = columns.map((_, n) => `$${n + 1}`);
      await client.query(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${parameters.join(", ")})`,
        Object.values(row),
      );
    },

    async insertWithNeeds(table, changes) {
      for (const needed of NEEDS[table] ?? []) await probe.insert(needed);
      await probe.insert(table, changes);
    },

    async insertTransfer(secondEntry = {}) {
      await probe.insert("ledger_account");
      await probe.insert("ledger_account", { kind: "funding" });
      await probe.insert("ledger_transaction");
      await probe.insert("ledger_entry");
      await probe.insert("ledger_entry", { kind: "funding", amount: -100, ...secondEntry });
    },

    async refusedBy(work) {
      await client.query("BEGIN");
      const rule = await ruleOf(async () => {
        await work();
        await client.query("SET CONSTRAINTS ALL IMMEDIATE");
      });
      await client.query("ROLLBACK");
      return rule;
    },

    async refusedAtCommit(work) {
      await client.query("BEGIN");
      await work();
      return ruleOf(() => client.query("COMMIT"));
    },

    async clear() {
      await client.query("SET session_replication_role = replica");
      await client.query(`TRUNCATE ${Object.keys(ROWS).join(", ")}`);
      await client.query("SET session_replication_role = origin");
    },

    close: () => client.end(),
  };
  return probe;
}
