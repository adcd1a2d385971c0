import { afterAll, expect, it } from "vitest";
import { disconnect, inTransaction } from "../client";
import { claimStatement } from "./claim";

afterAll(disconnect);

async function planOf(table: string): Promise<string> {
  const statement = claimStatement(table, "id")
    .replaceAll("$1", "50")
    .replaceAll("$2", "30000")
    .replaceAll("$3", "'{}'")
    .replaceAll("$4", "10");
  const lines = await inTransaction(async (transaction) => {
    // Tables that are nearly empty are read whole, whatever their indexes; what counts is how full ones are read.
    for (const other of ["seqscan", "bitmapscan"]) await transaction.query(`SET LOCAL enable_${other} = off`);
    return transaction.query<{ "QUERY PLAN": string }>(`EXPLAIN ${statement}`);
  });
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

it.each(["payment_intent", "payout_intent", "topup_intent"])(
  "of %s: one range of what is due for all, and one range of each moved merchant's test rows",
  async (table) => {
    const plan = await planOf(table);
    const scan = (index: string, condition: string) => new RegExp(`Scan using ${index} on [^\\n]*\\n\\s+${condition}`);
    expect(plan).toMatch(scan(`${table}_due`, "Index Cond: \\(due_at <= now\\(\\)\\)"));
    expect(plan).toMatch(
      scan(`${table}_due_in_test`, "Index Cond: \\(\\(merchant_id = c.merchant_id\\) AND \\(due_at <="),
    );
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  },
);
