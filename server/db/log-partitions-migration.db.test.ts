// Tests that the migrations to partitions keep every row of the logs, without copying them, and everybody's rights.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { idBoundAt } from "@/server/platform/ids";
import { type EarlierDatabase, openDatabaseBefore } from "./testing/earlier-database";

const FIRST = "20261128300000_log_bounds";
const SECOND = "20261128300100_log_bounds_hold";
const LAST = "20261128300200_log_partitions";
/** Roles belong to the whole server. */
const READER = `log_reader_${randomBytes(6).toString("hex")}`;

let database: EarlierDatabase;
beforeEach(async () => {
  database = await openDatabaseBefore(FIRST);
});
afterEach(() => database.drop());

/** Rows that older processes insert, with ids of those times; the last are of processes whose clocks are wrong. */
async function insertRows(from: number, days: readonly number[]): Promise<void> {
  const bounds = (kind: "request" | "delivery") =>
    days.map((day, n) => idBoundAt(kind, new Date(Date.now() + day * 86_400_000)) + String(from + n).padStart(16, "0"));
  // Read once: each attempt has the id of its delivery.
  const deliveries = bounds("delivery").join();
  const script = `
    SET session_replication_role = replica;
    INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address, created_at)
    SELECT 'mer_1', 'test', id, 'key_1', 'GET', '', '/', 200, 1, '', now()
    FROM unnest('{${bounds("request").join()}}'::text[]) id;
    INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, attempts, created_at, ended_at)
    SELECT 'mer_1', id, 'test', 'we_1', id, 'delivered', 1, now(), now() FROM unnest('{${deliveries}}'::text[]) id;
    INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers, response_body, attempted_at)
    SELECT 'mer_1', id, 1, 200, 1, '{}', '', now() FROM unnest('{${deliveries}}'::text[]) id`;
  await database.run(script);
}

const placesOf = (log: string) =>
  database.run<{ place: string; rows: number }>(
    `SELECT tableoid::regclass::text AS place, count(*)::int AS rows FROM ${log} GROUP BY 1 ORDER BY 1`,
  );

it("keep every row where it is, also what is inserted between them", async () => {
  await insertRows(0, [-20, -1, 0, 60, 900]);
  await database.run(`CREATE ROLE ${READER}; GRANT SELECT ON api_log TO ${READER}`);
  const [before] = await database.run<{ file: number }>(
    "SELECT relfilenode AS file FROM pg_class WHERE relname = 'api_log'",
  );
  try {
    await database.migrateTo(FIRST);
    await insertRows(5, [0, 1]);
    await database.migrateTo(SECOND);
    await insertRows(7, [0]);
    expect(await database.migrateTo(LAST)).toEqual([LAST]);
    for (const log of ["api_log", "delivery_attempt"])
      expect(await placesOf(log)).toEqual([
        { place: `${log}_before`, rows: 6 },
        { place: `${log}_default`, rows: 2 },
      ]);
    const indexes = "SELECT count(*)::int AS count FROM pg_index WHERE indrelid = 'api_log_before'::regclass";
    expect(await database.run(indexes)).toEqual([{ count: 3 }]);
    const after = "SELECT relfilenode AS file FROM pg_class WHERE relname = 'api_log_before'";
    expect(await database.run(after)).toEqual([before]);
    const mayRead = `SELECT has_table_privilege('${READER}', 'api_log', 'SELECT') AS may`;
    expect(await database.run(mayRead)).toEqual([{ may: true }]);
  } finally {
    await database.run(`DROP OWNED BY ${READER}; DROP ROLE ${READER}`);
  }
});

it("leave a log whose every row is old to be dropped as a whole", async () => {
  await insertRows(0, [-40, -39]);
  await database.migrateTo(LAST);
  await database.run("SELECT keep_log_partitions_at('api_log', 7, now() + interval '10 days')");
  expect(await database.run("SELECT name FROM log_partition WHERE name = 'api_log_before'")).toEqual([]);
});
