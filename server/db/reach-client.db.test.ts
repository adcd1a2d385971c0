// Row-level security: what a statement reaches depends on the work that sends it, and on nothing that the statement says.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withinMerchant, withinMerchants } from "@/server/platform/reach";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { disconnect, inTransaction, prisma, query } from "./client";
import { createPool, runStatement } from "./pool";
import { RESTRICTED_ROLE, ReachPool } from "./reach-client";
import { FOR_REQUESTS } from "./session-settings";

let [a, b]: TestMerchant[] = [];
let owner: Client;

beforeAll(async () => {
  [a, b] = [await makeMerchant(), await makeMerchant()];
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await disconnect();
});

function ids(): readonly [string, string] {
  if (!a || !b) throw new Error("there are no merchants");
  return [a.merchantId, b.merchantId];
}

const MERCHANTS = "SELECT DISTINCT merchant_id AS id FROM api_key ORDER BY 1";
const keys = () => query<{ id: string }>(MERCHANTS).then((rows) => rows.map(({ id }) => id));

it("every table that has a merchant is guarded, and every statement runs as the restricted role", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'merchant_id'
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND NOT (c.relrowsecurity AND EXISTS (
         SELECT FROM pg_policies p WHERE p.tablename = c.relname AND p.cmd = 'ALL'
           AND p.qual = 'within_reach(merchant_id)' AND p.roles = '{public}'))`,
  );
  // A pause of every merchant has no merchant, and everybody's work sees it.
  expect(rows).toEqual([{ name: "dispatch_pause" }]);
  const [now] = await query<{ role: string; bypasses: boolean; owns: number }>(
    `SELECT current_user::text AS role, (SELECT rolbypassrls OR rolsuper FROM pg_roles WHERE rolname = current_user) AS bypasses,
            (SELECT count(*)::int FROM pg_class WHERE relowner = current_user::regrole) AS owns`,
  );
  expect(now).toEqual({ role: RESTRICTED_ROLE, bypasses: false, owns: 0 });
});

it("a statement without a merchant condition reads only the merchant of its work", async () => {
  const [mine, theirs] = ids();
  expect(await withinMerchant(mine, keys)).toEqual([mine]);
  expect(await withinMerchants([mine, theirs], keys)).toEqual([mine, theirs].sort());
  expect(await withinMerchant(mine, () => query("SELECT id FROM merchant"))).toEqual([{ id: mine }]);
});

it("a statement cannot change, delete or insert rows of another merchant", async () => {
  const [mine, theirs] = ids();
  const within = (sql: string, ...values: unknown[]) => withinMerchant(mine, () => query(sql, ...values));
  expect(
    await within("UPDATE merchant_currency SET currency = currency WHERE merchant_id = $1 RETURNING 1", theirs),
  ).toEqual([]);
  expect(await within("DELETE FROM merchant_currency WHERE merchant_id = $1 RETURNING 1", theirs)).toEqual([]);
  const insert = within("INSERT INTO merchant_currency (merchant_id, currency) VALUES ($1, 'CLP')", theirs);
  await expect(insert).rejects.toMatchObject({ message: expect.stringContaining("row-level security") });
  const [key] = await query<{ id: string }>("SELECT id FROM api_key WHERE merchant_id = $1", theirs);
  const move = within("UPDATE api_key SET merchant_id = $1, id = $2", theirs, key?.id);
  await expect(move).rejects.toMatchObject({ message: expect.any(String) });
});

it("reach ends with its statement or transaction, on the same connection", async () => {
  const [mine, theirs] = ids();
  const pool = createPool(process.env.DATABASE_URL ?? "", {
    max: 1,
    session: FOR_REQUESTS,
    statements: "named",
    statementEndsWithinMs: 5_000,
  });
  const read = async () => (await runStatement<{ id: string }>(pool, MERCHANTS, [], 5_000)).map(({ id }) => id);
  expect(await withinMerchant(mine, read)).toEqual([mine]);
  expect(await withinMerchant(theirs, read)).toEqual([theirs]);
  const own = await owner.query("SELECT current_setting('sluice.reach', true) AS reach");
  expect(own.rows).toEqual([{ reach: null }]);
  await pool.end();
});

it("a connection that began before its user got the restricted role does not decide for the next ones", async () => {
  const name = "sluice_late_member";
  const url = new URL(process.env.DATABASE_URL ?? "");
  await owner.query(`DROP ROLE IF EXISTS ${name}; CREATE ROLE ${name} LOGIN PASSWORD 'late'`);
  [url.username, url.password] = [name, "late"];
  const roleOf = async () => {
    const pool = new ReachPool({ connectionString: url.href, max: 1, session: FOR_REQUESTS, statements: "named" });
    const [mine] = ids();
    const { rows } = await withinMerchant(mine, () =>
      pool.query<{ role: string }>("SELECT current_user::text AS role"),
    );
    await pool.end();
    return rows[0]?.role;
  };
  try {
    expect(await roleOf()).toBe(name);
    await owner.query(`GRANT ${RESTRICTED_ROLE} TO ${name}`);
    expect(await roleOf()).toBe(RESTRICTED_ROLE);
  } finally {
    await owner.query(`DROP ROLE ${name}`);
  }
});

it("a statement that waits for a connection keeps its own reach", async () => {
  const [mine, theirs] = ids();
  const pool = new ReachPool({
    connectionString: process.env.DATABASE_URL,
    max: 1,
    session: FOR_REQUESTS,
    statements: "named",
  });
  const order = [mine, theirs, mine, theirs, theirs, mine];
  // `pool.query` waits inside the pool, where another statement's end wakes it.
  const read = async () => (await pool.query<{ id: string }>(MERCHANTS)).rows.map(({ id }) => id);
  expect(await Promise.all(order.map((id) => withinMerchant(id, read)))).toEqual(order.map((id) => [id]));
  await pool.end();
});

it("Prisma's statements and transactions have the reach of their work", async () => {
  const [mine, theirs] = ids();
  const read = async () => (await prisma().apiKey.findMany()).map(({ merchantId }) => merchantId);
  expect(new Set(await withinMerchant(mine, read))).toEqual(new Set([mine]));
  const both = await withinMerchant(theirs, () =>
    inTransaction(async (transaction) => [
      await transaction.query(MERCHANTS),
      await transaction.query("SELECT id FROM merchant"),
    ]),
  );
  expect(both).toEqual([[{ id: theirs }], [{ id: theirs }]]);
});

it("a statement that fails leaves the connection and its prepared statements usable", async () => {
  const [mine] = ids();
  for (let round = 0; round < 2; round += 1) {
    await expect(withinMerchant(mine, () => query("SELECT no_such_column FROM merchant"))).rejects.toThrow(
      "no_such_column",
    );
    await expect(withinMerchant(mine, () => query("SELECT 1 / $1::int", 0))).rejects.toThrow("division by zero");
    expect(await withinMerchant(mine, keys)).toEqual([mine]);
  }
});

it("concurrent creates of two merchants share batches and stay apart", async () => {
  const [mine, theirs] = ids();
  const create = (merchant: TestMerchant) =>
    withinMerchant(merchant.merchantId, () => createPaymentIntent(merchant.context, payment(), withoutIdempotency()));
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => create((n % 2 ? a : b) as TestMerchant)));
  expect(new Set(made.map(({ intent }) => intent.merchantId))).toEqual(new Set([mine, theirs]));
  const foreign = withinMerchant(mine, () =>
    createPaymentIntent((b as TestMerchant).context, payment(), withoutIdempotency()),
  );
  await expect(foreign).rejects.toThrow("the work of one merchant named another");
  const [count] = await query<{ count: number }>(
    "SELECT count(*)::int FROM payment_intent WHERE merchant_id = $1",
    theirs,
  );
  expect(count?.count).toBe(10);
});
