import { afterAll, expect, it } from "vitest";
import { disconnect, inTransaction } from "../client";
import { claimStatement } from "./claim";

afterAll(disconnect);

async function planOf(table: string, awaitsPayers: boolean): Promise<string> {
  const statement = claimStatement(table, "id", { awaitsPayers })
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

it.each([
  ["payment_intent", true],
  ["payout_intent", false],
  ["topup_intent", true],
] as const)(
  "of %s: reads one range of due rows, one of each moved merchant's test rows, and one of due rows that are processing",
  async (table, awaitsPayers) => {
    const plan = await planOf(table, awaitsPayers);
    const scan = (index: string, condition: string) => new RegExp(`Scan using ${index} on [^\\n]*\\n\\s+${condition}`);
    expect(plan).toMatch(scan(`${table}_due`, "Index Cond: \\(due_at <= now\\(\\)\\)"));
    expect(plan).toMatch(
      scan(`${table}_due_in_test`, "Index Cond: \\(\\(merchant_id = c.merchant_id\\) AND \\(due_at <="),
    );
    const processing = scan(`${table}_due_while_processing`, "Index Cond: \\(due_at <= now\\(\\)\\)");
    expect(processing.test(plan)).toBe(awaitsPayers);
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  },
);
