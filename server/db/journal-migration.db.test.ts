// Tests that journal entries of earlier releases get what their exceptions are about.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EarlierDatabase, openDatabaseBefore } from "./testing/earlier-database";

const MIGRATION = "20261207010000_journal_entries_note_what_they_are_about";

let database: EarlierDatabase;
beforeEach(async () => {
  database = await openDatabaseBefore(MIGRATION);
});
afterEach(() => database.drop());

it("also if the exception is nobody's or the entry is decided, and not what another merchant's is about", async () => {
  await database.run(`
    SET session_replication_role = replica;
    INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
    SELECT merchant, exception, 'test', 'missing_internal', object, exception, '{}', now()
    FROM (VALUES ('mer_1', 'exc_1', 'dord_1'), ('', 'exc_2', 'ref_2'), ('mer_2', 'exc_3', 'dord_3')) x(merchant, exception, object);
    INSERT INTO journal_entry (merchant_id, id, environment, from_account, to_account, currency, amount, evidence, exception_id,
                               state, proposed_by_id, proposed_at, decided_by_id, decided_at)
    SELECT 'mer_1', 'jrn_' || n, 'test', 'bank', 'fees', 'BRL', 1, 'seen', exception, 'confirmed', 'eva', now(), 'ole', now()
    FROM (VALUES (0, NULL), (1, 'exc_1'), (2, 'exc_2'), (3, 'exc_3')) j(n, exception)`);
  await database.migrateTo(MIGRATION);
  expect(await database.run("SELECT object_id AS object FROM journal_entry ORDER BY id")).toEqual(
    [null, "dord_1", "ref_2", null].map((object) => ({ object })),
  );
});
