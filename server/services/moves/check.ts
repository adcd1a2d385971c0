// The last check before the point of no return, while nothing of the merchant can change.
import { countRows, findWrongBalances, readChainEnd } from "@/server/db/moves/checks";
import { findDifferingTables } from "./compare";
import type { ChangedKeys } from "./follow";
import type { Move } from "./move";

/** What is not as it must be: rows that were copied last, counts of all tables, balances, and the end of the audit chain. */
export async function findFaults(move: Move, changed: ChangedKeys): Promise<string[]> {
  const { from, to, merchantId, tables } = move;
  const [ours, theirs] = await Promise.all([from, to].map((owner) => countRows(owner, tables, merchantId)));
  const miscounted = tables.filter(({ name }) => ours?.get(name) !== theirs?.get(name));
  const differing = await findDifferingTables(move, changed);
  const [ourEnd, theirEnd] = await Promise.all([from, to].map((owner) => readChainEnd(owner, merchantId)));
  const balances = await findWrongBalances(to, merchantId);
  return [
    ...miscounted.map(({ name }) => `${name} has ${theirs?.get(name)} rows instead of ${ours?.get(name)}`),
    ...differing.map((name) => `${name} has other rows`),
    ...(ourEnd === theirEnd ? [] : ["the audit chain ends differently"]),
    ...balances.map((account) => `the balance of ${account} is not the sum of its entries`),
  ];
}
