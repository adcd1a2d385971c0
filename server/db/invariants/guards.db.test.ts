// Tests that a disabled or missing trigger is found, and that the list of triggers matches the migrations.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../client";
import { GUARD_INVARIANTS } from "./guards";
import { TRIGGERS } from "./triggers";

const [TRIGGERS_ARE_ON] = GUARD_INVARIANTS;

let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
});
afterAll(() => client.end());

/** Returns what the invariant finds after the statement, then rolls back. */
async function foundAfter(statement: string): Promise<object[]> {
  await client.query("BEGIN");
  try {
    await client.query(statement);
    return (await client.query<object>(TRIGGERS_ARE_ON?.sql ?? "")).rows;
  } finally {
    await client.query("ROLLBACK");
  }
}

it("the list of triggers matches a migrated database", async () => {
  const rows = await query<{ of_table: string; names: string[] }>(
    `SELECT c.relname AS of_table, array_agg(t.tgname::text ORDER BY t.tgname::text COLLATE "C") AS names
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal AND NOT c.relispartition GROUP BY 1`,
  );
  expect(TRIGGERS).toEqual(Object.fromEntries(rows.map(({ of_table, names }) => [of_table, names])));
});

it.each([
  ["DISABLE TRIGGER approval_is_append_only", "D"],
  ["ENABLE REPLICA TRIGGER approval_is_append_only", "R"],
])("ALTER TABLE approval %s is found", async (change, enabled) => {
  const found = await foundAfter(`ALTER TABLE approval ${change}`);
  expect(found).toEqual([{ of_table: "approval", trigger: "approval_is_append_only", enabled }]);
});

it("a missing trigger is found", async () => {
  const found = await foundAfter("DROP TRIGGER approval_is_append_only ON approval");
  expect(found).toEqual([{ of_table: "approval", trigger: "approval_is_append_only", enabled: null }]);
});

it("a table without any of its triggers is found, with those of its foreign keys", async () => {
  const found = await foundAfter("ALTER TABLE member DISABLE TRIGGER ALL");
  expect(found.length).toBeGreaterThan(TRIGGERS.member?.length ?? 0);
  expect(await foundAfter("SELECT")).toEqual([]);
});
