import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect, inLongTransaction, inSnapshot, inTransaction, query } from "./client";
import { isDatabaseOutage, isRefusedBy } from "./failures";
import type { Transaction } from "./transaction";

let other: Client;

beforeAll(async () => {
  other = new Client(process.env.DATABASE_URL);
  await other.connect();
  await other.query("CREATE TABLE note (id int PRIMARY KEY, parent int REFERENCES note DEFERRABLE INITIALLY DEFERRED)");
  await other.query("GRANT ALL ON note TO PUBLIC");
});

beforeEach(() => other.query("TRUNCATE note"));

afterAll(async () => {
  await other.end();
  await disconnect();
});

const add = (transaction: Transaction, id: number, parent: number | null = null) =>
  transaction.query("INSERT INTO note VALUES ($1, $2)", id, parent);

async function stored(): Promise<number[]> {
  return (await query<{ id: number }>("SELECT id FROM note ORDER BY id")).map(({ id }) => id);
}

/** Connections to this database with an open transaction. */
async function openTransactions(): Promise<number> {
  const { rows } = await other.query<{ count: number }>(
    "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()",
  );
  return rows[0]?.count ?? 0;
}

async function breakConnection(transaction: Transaction): Promise<void> {
  const [row] = await transaction.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await other.query("SELECT pg_terminate_backend($1, 1000)", [row?.pid]);
}

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

it("commits what the work wrote and returns its result", async () => {
  const result = await inTransaction(async (transaction) => {
    await add(transaction, 1);
    expect(await stored()).toEqual([]);
    await add(transaction, 2);
    return "done";
  });
  expect([result, await stored()]).toEqual(["done", [1, 2]]);
});

it("rolls back and rethrows what the work throws", async () => {
  const thrown = new Error("no");
  const work = inTransaction(async (transaction) => {
    await add(transaction, 1);
    throw thrown;
  });
  expect(await errorOf(work)).toBe(thrown);
  expect(await stored()).toEqual([]);
  expect(await openTransactions()).toBe(0);
});

it("rolls back a refused statement and names the constraint", async () => {
  const error = await errorOf(
    inTransaction(async (transaction) => {
      await add(transaction, 1);
      await add(transaction, 1);
    }),
  );
  expect(isRefusedBy(error, "note_pkey")).toBe(true);
  expect(await stored()).toEqual([]);
});

it("reports a constraint that Postgres checks at COMMIT", async () => {
  const error = await errorOf(inTransaction((transaction) => add(transaction, 1, 7)));
  expect(isRefusedBy(error, "note_parent_fkey")).toBe(true);
  expect(await stored()).toEqual([]);
});

it("fails if the work goes on after a failed statement", async () => {
  const error = await errorOf(
    inTransaction(async (transaction) => {
      await add(transaction, 1);
      await add(transaction, 1).catch(() => {});
    }),
  );
  expect(error).toMatchObject({ message: "a failed statement had aborted the transaction" });
  expect(await stored()).toEqual([]);
});

it("rejects statements after its end", async () => {
  const transaction = await inTransaction(async (open) => open);
  await expect(add(transaction, 1)).rejects.toThrow("the transaction has ended");
});

it("reads and writes the same types as query", async () => {
  const at = new Date("2026-11-22T10:00:00.123Z");
  const sql = `SELECT $1::int8 AS big, $2::int AS small, $3::timestamptz AS at, $4::text[] AS texts, $5::jsonb AS json,
                      $6::numeric::text AS amount, NULL::timestamptz AS nothing`;
  const values = [2n ** 60n, 5, at, ["a", "b"], JSON.stringify({ a: [1] }), "12345678901234567890"];
  const row = {
    big: 2n ** 60n,
    small: 5,
    at,
    texts: ["a", "b"],
    json: { a: [1] },
    amount: "12345678901234567890",
    nothing: null,
  };
  const inOne = inTransaction(({ query: within }) => within(sql, ...values));
  expect(await Promise.all([query(sql, ...values), inOne])).toEqual([[row], [row]]);
});

it("a connection that breaks between statements is an outage and leaves nothing behind", async () => {
  const error = await errorOf(
    inTransaction(async (transaction) => {
      await add(transaction, 1);
      await breakConnection(transaction);
      await add(transaction, 2);
    }),
  );
  expect(isDatabaseOutage(error)).toBe(true);
  expect(await stored()).toEqual([]);
});

it("a connection that breaks before COMMIT is answered is an outage: the outcome is unknown", async () => {
  const error = await errorOf(
    inTransaction(async (transaction) => {
      await add(transaction, 1);
      await breakConnection(transaction);
    }),
  );
  expect(isDatabaseOutage(error)).toBe(true);
});

it("more transactions than connections: some are refused as an outage, and none stays open", async () => {
  const work = () => inTransaction((transaction) => transaction.query("SELECT pg_sleep(3.2)::text"));
  const errors = await Promise.all(Array.from({ length: 11 }, () => errorOf(work())));
  const failed = errors.filter((error) => error !== null);
  expect(failed.map(isDatabaseOutage)).toEqual([true]);
  expect(await openTransactions()).toBe(0);
});

it("a statement that waits too long for a lock ends its transaction", async () => {
  await other.query("BEGIN");
  await other.query("LOCK TABLE note IN ACCESS EXCLUSIVE MODE");
  const error = await errorOf(inTransaction((transaction) => add(transaction, 1)));
  await other.query("ROLLBACK");
  expect(isDatabaseOutage(error)).toBe(true);
  expect(await openTransactions()).toBe(0);
});

const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'lost a race' USING ERRCODE = '${code}'; END $$`;

it.each(["40001", "40P01"])("runs the work again after %s, at most five times, and writes once", async (code) => {
  let attempts = 0;
  const work = (failures: number) =>
    inTransaction(async (transaction) => {
      attempts += 1;
      await add(transaction, 1);
      if (attempts <= failures) await transaction.query(raise(code));
      return attempts;
    });
  expect([await work(5), await stored()]).toEqual([6, [1]]);
  await other.query("TRUNCATE note");
  attempts = 0;
  const error = await errorOf(work(6));
  expect([attempts, isDatabaseOutage(error), await stored()]).toEqual([6, true, []]);
});

it("two transactions that lock the same rows in opposite order both commit", async () => {
  await other.query("INSERT INTO note SELECT generate_series(1, 2)");
  const lock = (transaction: Transaction, id: number) =>
    transaction.query("UPDATE note SET parent = NULL WHERE id = $1", id);
  const arrived: (() => void)[] = [];
  const both = new Promise<void>((resolve) => {
    arrived.push(() => {}, resolve);
  });
  const work = (first: number, second: number) =>
    inTransaction(async (transaction) => {
      await lock(transaction, first);
      arrived.shift()?.();
      await both;
      await lock(transaction, second);
      await add(transaction, 10 + first);
    });
  await Promise.all([work(1, 2), work(2, 1)]);
  expect(await stored()).toEqual([1, 2, 11, 12]);
});

// A process that is held up reads that its transaction has ended only as the answer to its next statement.
const holdUp = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
const awaitEnd = () => expect.poll(openTransactions).toBe(0);

it.each([
  ["before", awaitEnd],
  ["after", holdUp],
])("a transaction that idled too long is an outage: its end is read %s its next statement is sent", async (_, idle) => {
  const error = await errorOf(
    inTransaction(async (transaction) => {
      await add(transaction, 1);
      await transaction.query("SET LOCAL idle_in_transaction_session_timeout = 1");
      await idle();
      await add(transaction, 2);
    }),
  );
  expect(isDatabaseOutage(error)).toBe(true);
  expect(await stored()).toEqual([]);
});

it("a snapshot reads one instant and writes nothing", async () => {
  const counts = await inSnapshot(async (transaction) => {
    const count = "SELECT count(*)::int AS count FROM note";
    const before = await transaction.query(count);
    await query("INSERT INTO note VALUES (1)");
    return [before, await transaction.query(count)];
  });
  expect(counts).toEqual([[{ count: 0 }], [{ count: 0 }]]);
  const error = await errorOf(inSnapshot((transaction) => add(transaction, 2)));
  expect(error).toMatchObject({ code: "25006" });
});

it("reports may take minutes and join whole tables, requests may not", async () => {
  const read = async ({ query: within }: Transaction) =>
    within("SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_hashjoin') AS join");
  expect(await inTransaction(read)).toEqual([{ timeout: "3500ms", join: "off" }]);
  expect(await inLongTransaction(read)).toEqual([{ timeout: "5min", join: "on" }]);
  expect(await inSnapshot(read)).toEqual([{ timeout: "2min", join: "on" }]);
});
