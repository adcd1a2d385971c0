// The checks before the point of no return. All rows are counted and all balances added up before the pause, at one moment of the
// old cell. From then on each round of following is checked by itself, at its own moment, so that the pause need not read
// everything.
import { countRows, findWrongBalances, readChainEnd } from "@/server/db/moves/checks";
import { countKnown, findDiffering, readRows } from "@/server/db/moves/rows";
import { followOnce, type ReadChanged } from "./follow";
import type { Move } from "./move";

/** What is not as it must be at this moment: counts of all tables, and balances. */
export async function findFaults(move: Move): Promise<string[]> {
  const { from, to, merchantId, tables } = move;
  const faults: string[] = [];
  await followOnce(move, async () => {
    const [ours, theirs] = await Promise.all([from, to].map((owner) => countRows(owner, tables, merchantId)));
    for (const { name } of tables) {
      const [rows, expected] = [theirs?.get(name), ours?.get(name)];
      if (rows !== expected) faults.push(`${name} has ${rows} rows instead of ${expected}`);
    }
    const balances = await findWrongBalances(to, merchantId);
    faults.push(...balances.map((account) => `the balance of ${account} is not the sum of its entries`));
  });
  return faults;
}

/** The tables in which rows of those keys differ. */
export async function findDifferences({ from, to, merchantId, tables }: Move, changed: ReadChanged): Promise<string[]> {
  const faults = new Set<string>();
  for (const table of tables) {
    for await (const keys of changed(table)) {
      const page = await readRows(from, table, merchantId, "digest", keys);
      const differing = await findDiffering(to, table, merchantId, page);
      const isComplete = (await countKnown(to, table, merchantId, keys)) === page.keys.length;
      if (differing.length > 0 || !isComplete) faults.add(`${table.name} has other rows`);
    }
  }
  return [...faults];
}

/** Whether the audit chain ends otherwise than in the old cell. */
export async function findOtherEnd({ from, to, merchantId }: Move): Promise<string[]> {
  const [ours, theirs] = await Promise.all([from, to].map((owner) => readChainEnd(owner, merchantId)));
  return ours === theirs ? [] : ["the audit chain ends differently"];
}
