// Comparing: digests of all rows in both cells. What differs is noted as if it had changed, and so copied again.
import { noteKeys } from "@/server/db/moves/changes";
import { countRows } from "@/server/db/moves/checks";
import type { Owner } from "@/server/db/moves/owner";
import { findDiffering, type Key, readPage } from "@/server/db/moves/rows";
import type { MovedTable } from "@/server/db/moves/shape";
import { follow } from "./follow";
import { type Move, ROWS_AT_ONCE } from "./move";

/** Compares all rows, and copies those that differ. */
export async function compare(move: Move): Promise<void> {
  const { from, to, merchantId, tables, say } = move;
  let differing = 0;
  for (const table of tables) differing += await compareTable(move, table, from, to);
  const [ours, theirs] = await Promise.all([from, to].map((owner) => countRows(owner, tables, merchantId)));
  for (const table of tables) {
    // Rows that are gone in the old cell, by a way that no trigger notes.
    if ((theirs?.get(table.name) ?? 0) > (ours?.get(table.name) ?? 0))
      differing += await compareTable(move, table, to, from);
  }
  say(`compared all rows; ${differing} differed and are copied again`);
  await follow(move);
}

/** Notes the keys of rows of one cell that the other lacks or has otherwise; returns their number. */
async function compareTable({ from, merchantId }: Move, table: MovedTable, one: Owner, other: Owner): Promise<number> {
  let differing = 0;
  for (let after: Key | null = null; ; ) {
    const page = await readPage(one, table, merchantId, "digest", after, ROWS_AT_ONCE);
    if (page.keys.length === 0) return differing;
    after = page.keys.at(-1) ?? after;
    const keys = await findDiffering(other, table, merchantId, page);
    if (keys.length > 0) await noteKeys(from, table, merchantId, keys);
    differing += keys.length;
  }
}
