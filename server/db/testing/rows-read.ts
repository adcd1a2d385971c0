// How many rows a statement reads, whatever the time that it takes.
import { inTransaction } from "../client";

/** A node of a plan, with what came of it. */
interface Node {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly Node[];
}

/** Rows that a node and those below it read, wanted or not. */
function rowsRead(node: Node): number {
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Join Filter": unjoined = 0, Plans = [] } = node;
  const own = (node["Actual Rows"] + filtered + unjoined) * node["Actual Loops"];
  return Plans.reduce((sum, below) => sum + rowsRead(below), own);
}

/** Executes a statement without leaving anything, by the plan that a connection keeps for all values. */
export async function rowsReadBy(sql: string, ...values: unknown[]): Promise<{ read: number; written: number }> {
  return inTransaction(async (transaction) => {
    await transaction.query("SET LOCAL plan_cache_mode = force_generic_plan");
    await transaction.query("SAVEPOINT before");
    const [row] = await transaction.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      ...values,
    );
    await transaction.query("ROLLBACK TO before");
    const plan = (row as { "QUERY PLAN": [{ Plan: Node }] })["QUERY PLAN"][0].Plan;
    return { read: rowsRead(plan), written: plan["Actual Rows"] };
  });
}
