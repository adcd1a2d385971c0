import { afterAll, expect, it } from "vitest";
import { disconnect, inTransaction } from "../client";
import type { IntentFilter } from "./conditions";
import { listStatement } from "./list-statement";
import { paymentMapping } from "./payment-row";
import { payoutMapping } from "./payout-row";
import { topupMapping } from "./topup-row";

afterAll(disconnect);

/** Row-level security adds this to every statement of the service. It holds for every row that the index range has. */
const WALL = /^ *Filter: \(CASE WHEN starts_with\(current_setting\('sluice\.reach'.*END IS NOT NULL\)$/gm;

async function planOf(sql: string): Promise<string> {
  const lines = await inTransaction(async (transaction) => {
    // Tables that are nearly empty are read whole, whatever their indexes; what counts is how full ones are read.
    for (const other of ["seqscan", "bitmapscan", "sort"]) await transaction.query(`SET LOCAL enable_${other} = off`);
    // As the service sends it after its first few times: one plan for every value.
    await transaction.query("SET LOCAL plan_cache_mode = force_generic_plan");
    return transaction.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`);
  });
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

const ONE_STATUS: IntentFilter = { statuses: ["failed"] };
const CASES = [
  { mapping: paymentMapping, filter: {}, column: "merchant_id" },
  { mapping: paymentMapping, filter: ONE_STATUS, column: "status" },
  { mapping: paymentMapping, filter: { country: "BR" }, column: "country" },
  { mapping: paymentMapping, filter: { equals: { currency: "BRL" } }, column: "currency" },
  { mapping: paymentMapping, filter: { equals: { payment_method: "BR_PIX" } }, column: "payment_method" },
  { mapping: paymentMapping, filter: { createdAfter: new Date(0) }, column: "created_at" },
  { mapping: payoutMapping, filter: ONE_STATUS, column: "status" },
  { mapping: payoutMapping, filter: { country: "BR" }, column: "country" },
  { mapping: payoutMapping, filter: { equals: { currency: "BRL" } }, column: "currency" },
  { mapping: topupMapping, filter: ONE_STATUS, column: "status" },
  { mapping: topupMapping, filter: { country: "BR" }, column: "country" },
  { mapping: topupMapping, filter: { equals: { currency: "BRL" } }, column: "destination_currency" },
  { mapping: topupMapping, filter: { equals: { source_type: "crypto" } }, column: "source_type" },
] satisfies { mapping: { table: string }; filter: IntentFilter; column: string }[];

function literal(value: unknown): string {
  return `'${value instanceof Date ? value.toISOString() : String(value)}'`;
}

const SOMEWHERE = { createdAt: new Date("2026-11-22T00:00:00Z"), id: "x" };
const PAGES = (["newest_first", "oldest_first"] as const).flatMap((order) => [
  { order, after: null, page: "first", starts: /Index Cond: / },
  { order, after: SOMEWHERE, page: "later", starts: /Index Cond: .*ROW\(created_at, \(?id/ },
]);
const WALKS = CASES.flatMap((one) => PAGES.map((page) => ({ ...one, ...page })));

it.each(WALKS)("$mapping.table by $column, $order, $page page: one range, already in order", async (one) => {
  const select = `SELECT id, created_at FROM ${one.mapping.table} WHERE merchant_id = 'm' AND environment = 'test'`;
  const plan = await planOf(listStatement(select, one.mapping, { ...one, count: 26 }, literal));
  expect(plan).not.toMatch(/Seq Scan|Sort/);
  expect(plan).toMatch(WALL);
  expect(plan.replace(WALL, "")).not.toContain("Filter:");
  expect(plan).toMatch(new RegExp(`Index Cond: .*\\b${one.column}\\b`));
  // The same index read from its other end.
  expect(/Scan Backward/.test(plan)).toBe(one.order === "oldest_first");
  expect(plan).toMatch(one.starts);
});

const TOGETHER = /Index Cond: .*(created_at <.*ROW\(created_at|ROW\(created_at.*created_at <)/;

it.each([paymentMapping, payoutMapping, topupMapping])(
  "a later page of $table before a time begins at its position alone",
  async (mapping) => {
    const select = `SELECT id, created_at FROM ${mapping.table} WHERE merchant_id = 'm' AND environment = 'test'`;
    const filter = { createdBefore: new Date("2026-11-23T00:00:00Z") };
    const page = { filter, order: "newest_first" as const, count: 26 };
    const first = await planOf(listStatement(select, mapping, { ...page, after: null }, literal));
    expect(first).toMatch(/Index Cond: .*created_at </);
    const later = await planOf(listStatement(select, mapping, { ...page, after: SOMEWHERE }, literal));
    expect(later).toMatch(/Index Cond: .*ROW\(created_at/);
    expect(later).not.toMatch(TOGETHER);
  },
);
