// One transaction on one connection, from BEGIN to COMMIT or ROLLBACK.
import type { Pool } from "pg";
import { isAttributable } from "./failures";
import { borrow, send } from "./pool";

/** An open transaction. */
export interface Transaction {
  /** Runs one statement in the transaction. Values and rows as in `query` of client.ts. Throws once the transaction has ended. */
  readonly query: <Row>(sql: string, ...values: unknown[]) => Promise<Row[]>;
}

export interface TransactionSettings {
  /** Statements that open the transaction: BEGIN with its isolation level, then what it sets. */
  readonly open: readonly string[];
  /** Maximum time of one statement, ms. */
  readonly statementWithinMs: number;
  /** Maximum time from BEGIN to COMMIT, ms. */
  readonly endsWithinMs: number;
}

/** Classified as an outage: nothing was committed, and a retry may succeed. */
function tookTooLong(endsWithinMs: number): Error {
  return Object.assign(new Error(`the transaction took longer than ${endsWithinMs} ms`), { code: "ETIMEDOUT" });
}

/**
 * Commits what `work` did and returns its result. Rolls back and rethrows if `work` throws. An error of COMMIT itself means an
 * unknown outcome, unless Postgres named a violated constraint. A connection of unknown state is closed, which also ends its
 * transaction.
 */
export async function runTransaction<Result>(
  pool: Pool,
  { open, statementWithinMs, endsWithinMs }: TransactionSettings,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { client, giveBack } = await borrow(pool);
  const startedAt = performance.now();
  let isOpen = true;
  let broken: Error | undefined;

  async function run<Row>(sql: string, values: readonly unknown[] = []) {
    const left = endsWithinMs - (performance.now() - startedAt);
    if (left <= 0) throw tookTooLong(endsWithinMs);
    try {
      return await send<Row>(client, sql, values, Math.min(statementWithinMs, left));
    } catch (error) {
      if (!isAttributable(error)) broken = error as Error;
      throw error;
    }
  }

  async function query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
    if (!isOpen) throw new Error("the transaction has ended");
    return (await run<Row>(sql, values)).rows;
  }

  try {
    for (const sql of open) await run(sql);
    const result = await work({ query });
    isOpen = false;
    const { command } = await run("COMMIT");
    // Postgres answers COMMIT with ROLLBACK if `work` went on after a failed statement.
    if (command !== "COMMIT") throw new Error("a failed statement had aborted the transaction");
    return result;
  } catch (error) {
    isOpen = false;
    // A ROLLBACK that fails marks the connection as broken.
    if (!broken) await send(client, "ROLLBACK", [], statementWithinMs).catch((failed: Error) => (broken = failed));
    throw error;
  } finally {
    giveBack(broken);
  }
}
