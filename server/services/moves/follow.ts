// Following: rows that changed in the old cell after they were copied are copied again.
import { countChanges, forgetChanges, readChanges } from "@/server/db/moves/changes";
import { SNAPSHOT, transact } from "@/server/db/moves/owner";
import { deleteRows, type Key, readRows, replaceRows } from "@/server/db/moves/rows";
import type { MovedTable } from "@/server/db/moves/shape";
import { ServiceError } from "@/server/domain/errors";
import { type Move, ROWS_AT_ONCE } from "./move";

/** So few changed rows can be copied while the merchant waits. */
const FEW = 200;
/** Each round has less to do than the one before, unless the merchant changes faster than rows are copied. */
const ROUNDS = 100;

/** The keys of a table that a round copies, in parts. */
export type ReadChanged = (table: MovedTable) => AsyncIterable<readonly Key[]>;

/** Looks at both cells after a round: the old one as it was at the round's moment, so that both must be the same. */
type Look = (changed: ReadChanged) => Promise<void>;

const lookAway: Look = async () => {};

/**
 * Copies the rows that are noted now, as they are at one moment; returns their number. The notes are deleted at the end of the
 * transaction that saw them, so later ones stay.
 */
export async function followOnce(move: Move, look = lookAway): Promise<number> {
  const { from, merchantId, tables } = move;
  return transact(from, SNAPSHOT, async () => {
    const counts = await countChanges(from, merchantId);
    const changed: ReadChanged = (table) => readChanges(from, table, merchantId, ROWS_AT_ONCE);
    const noted = tables.filter(({ name }) => counts.has(name));
    for (const table of noted) await copyChanged(move, table, changed, counts.get(table.name) ?? 0);
    await look((table) => (counts.has(table.name) ? changed(table) : NOTHING));
    if (counts.size > 0) await forgetChanges(from, merchantId);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  });
}

const NOTHING: AsyncIterable<readonly Key[]> = (async function* () {})();

/** All rows are deleted before the first one is inserted: a name may have gone from one row to another. */
async function copyChanged(
  { from, to, merchantId }: Move,
  table: MovedTable,
  changed: ReadChanged,
  count: number,
): Promise<void> {
  // The rows of one part are deleted together with their insertion.
  if (count > ROWS_AT_ONCE) for await (const keys of changed(table)) await deleteRows(to, table, merchantId, keys);
  for await (const keys of changed(table)) {
    const { rows } = await readRows(from, table, merchantId, "text", keys);
    await replaceRows({ from, to }, table, merchantId, keys, rows);
  }
}

/** Follows until few changed rows are left. Throws if the merchant changes faster than that. */
export async function follow(move: Move, look = lookAway): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const count = await followOnce(move, look);
    if (count > 0) move.say(`copied ${count} changed rows`);
    if (count <= FEW) return;
  }
  throw new ServiceError(
    "service_unavailable",
    "The merchant's rows change faster than they are copied. Run the command again when less goes on, or with --abort.",
  );
}

/** Follows until no changed row is left, while nothing new changes. */
export async function followToTheEnd(move: Move, look: Look): Promise<void> {
  while ((await followOnce(move, look)) > 0);
}
