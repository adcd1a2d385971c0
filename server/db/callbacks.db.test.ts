// Tests that the migration takes up the callbacks that earlier releases dropped, and leaves the others alone.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EarlierDatabase, openDatabaseBefore } from "./testing/earlier-database";

const OURS = "20261122130000_unapplied_callbacks";

let database: EarlierDatabase;
beforeEach(async () => {
  database = await openDatabaseBefore(OURS);
});
afterEach(() => database.drop());

it("callbacks that were dropped are due again, and the rest stay as they are", async () => {
  await database.run(
    `INSERT INTO provider_callback (provider, callback_id, body, applied_at, result, attempts, due_at)
     SELECT 'acme', result, '{}', now(), result, 3, NULL
     FROM unnest(ARRAY['applied', 'ignored', 'unreadable', 'unmatched']) AS result`,
  );
  expect(await database.migrateTo(OURS)).toEqual([OURS]);
  const rows = "SELECT callback_id, result, attempts, due_at IS NOT NULL AS is_due FROM provider_callback ORDER BY 1";
  expect(await database.run(rows)).toEqual([
    { callback_id: "applied", result: "applied", attempts: 3, is_due: false },
    { callback_id: "ignored", result: "ignored", attempts: 3, is_due: false },
    { callback_id: "unmatched", result: null, attempts: 0, is_due: true },
    { callback_id: "unreadable", result: null, attempts: 0, is_due: true },
  ]);
});
