// A move looks rows up by their keys, also in tables whose statistics do not know the merchant yet.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { allCells } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeMerchant } from "@/server/testing/merchant";
import { disconnect } from "../client";
import { type Owner, openOwner } from "./owner";
import { countKnown, deleteRows, findDiffering, type Page, readPage, readRows, replaceRows } from "./rows";
import { type MovedTable, readMovedTables } from "./shape";

const ROWS = 20_000;
const KEYS = 1_000;

let owner: Owner;
let table: MovedTable;
let merchantId: string;
let page: Page;

const insertRows = (id: string) =>
  owner.query(
    `INSERT INTO idempotency_seal (merchant_id, api_key_id, key, status, body)
     SELECT $1, 'key', lpad(n::text, 6, '0'), 201, 'body' FROM generate_series(1, ${ROWS}) AS n`,
    id,
  );

beforeAll(async () => {
  reachEveryMerchant();
  owner = await openOwner(allCells()[0]);
  const found = (await readMovedTables(owner)).find(({ name }) => name === "idempotency_seal");
  if (!found) throw new Error("idempotency_seal does not move");
  table = found;
  await owner.query("ALTER TABLE idempotency_seal SET (autovacuum_enabled = off)");
  await owner.query("SET session_replication_role = replica");
  await insertRows((await makeMerchant()).merchantId);
  // From here on the statistics say that all rows are of that merchant.
  await owner.query("ANALYZE idempotency_seal");
});
/** A merchant whose copy arrives. */
async function makeArriving(): Promise<string> {
  const made = await makeMerchant();
  await owner.query(
    "INSERT INTO merchant_fence (merchant, state, other_cell) VALUES ($1, 'arriving', 'eu2')",
    made.merchantId,
  );
  return made.merchantId;
}

beforeEach(async () => {
  merchantId = await makeArriving();
  await insertRows(merchantId);
  page = await readPage(owner, table, merchantId, "text", null, KEYS);
});
afterAll(async () => {
  await owner.query("ALTER TABLE idempotency_seal RESET (autovacuum_enabled)");
  await owner.end();
  await disconnect();
});

/** The rows and index entries of the table that statements have read so far. */
async function readSoFar(): Promise<number> {
  await owner.query("SELECT pg_stat_force_next_flush()");
  const [row] = await owner.query<{ read: number }>(
    `SELECT (t.seq_tup_read + sum(i.idx_tup_read))::int AS read
     FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
     WHERE t.relname = 'idempotency_seal' GROUP BY t.seq_tup_read`,
  );
  return row?.read ?? 0;
}

it.each<[string, () => Promise<unknown>]>([
  ["reads rows", () => readRows(owner, table, merchantId, "text", page.keys)],
  ["compares rows", () => findDiffering(owner, table, merchantId, page)],
  ["counts rows", () => countKnown(owner, table, merchantId, page.keys)],
  ["replaces rows", () => replaceRows({ from: owner, to: owner }, table, merchantId, page.keys, page.rows)],
  ["deletes rows", () => deleteRows(owner, table, merchantId, page.keys)],
  ["reads the next page", () => readPage(owner, table, merchantId, "text", page.keys.at(-1) ?? null, KEYS)],
])("a statement that %s reads no other rows", async (_, work) => {
  const before = await readSoFar();
  await work();
  const read = (await readSoFar()) - before;
  expect(read).toBeGreaterThanOrEqual(KEYS);
  expect(read).toBeLessThanOrEqual(2 * KEYS);
});

it("rows of another merchant are neither replaced nor found by their keys", async () => {
  const other = await makeArriving();
  expect(await countKnown(owner, table, other, page.keys)).toBe(0);
  expect((await readRows(owner, table, other, "text", page.keys)).rows).toEqual([]);
  await deleteRows(owner, table, other, page.keys);
  expect(await countKnown(owner, table, merchantId, page.keys)).toBe(KEYS);
});

it("rows of a merchant that is open are neither replaced nor deleted", async () => {
  await owner.query("DELETE FROM merchant_fence WHERE merchant = $1", merchantId);
  const replaced = replaceRows({ from: owner, to: owner }, table, merchantId, page.keys, []);
  await expect(replaced).rejects.toMatchObject({ code: "validation_failed" });
  const deleted = deleteRows(owner, table, merchantId, page.keys);
  await expect(deleted).rejects.toMatchObject({ code: "validation_failed" });
  expect(await countKnown(owner, table, merchantId, page.keys)).toBe(KEYS);
});
