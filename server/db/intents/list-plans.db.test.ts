// Owns the proof that each filter of a list is a range of an index in the list's own order, however rare its value is.
import { afterAll, expect, it } from "vitest";
import { disconnect, prisma } from "../client";
import { conditionsOf, type IntentFilter } from "./conditions";
import { paymentMapping } from "./payment-row";
import { payoutMapping } from "./payout-row";
import { topupMapping } from "./topup-row";

afterAll(disconnect);

async function planOf(sql: string): Promise<string> {
  const lines = await prisma().$transaction(async (transaction) => {
    // Tables that are nearly empty are read whole, whatever their indexes; what counts is how full ones are read.
    for (const other of ["seqscan", "bitmapscan", "sort"])
      await transaction.$executeRawUnsafe(`SET LOCAL enable_${other} = off`);
    // As the service sends it after its first few times: one plan for every value.
    await transaction.$executeRawUnsafe("SET LOCAL plan_cache_mode = force_generic_plan");
    return transaction.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`EXPLAIN ${sql}`);
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

it.each(CASES)("$mapping.table by $column: one range, already in order, on every page", async (one) => {
  const where = conditionsOf(one.mapping, one.filter, literal);
  const select = `SELECT id FROM ${one.mapping.table} WHERE merchant_id = 'm' AND environment = 'test'${where}`;
  const range = "Index Cond: .*";
  for (const [page, expected] of [
    ["", range],
    [" AND (created_at, id) < (now(), 'x')", `${range}ROW\\(created_at, \\(?id`],
  ] as const) {
    const plan = await planOf(`${select}${page} ORDER BY created_at DESC, id DESC LIMIT 26`);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
    expect(plan).not.toContain("Filter:");
    expect(plan).toMatch(new RegExp(`Index Cond: .*\\b${one.column}\\b`));
    expect(plan).toMatch(new RegExp(expected));
  }
});
