// Following: rows that changed in the old cell after they were copied are copied again.
import { forgetChanges, readChanges } from "@/server/db/moves/changes";
import { SNAPSHOT, transact } from "@/server/db/moves/owner";
import { deleteRows, type Key, readRows, replaceRows } from "@/server/db/moves/rows";
import { ServiceError } from "@/server/domain/errors";
import { chunksOf, type Move } from "./move";

/** So few changed rows can be copied while the merchant waits. */
const FEW = 200;
/** Each round has less to do than the one before, unless the merchant changes faster than rows are copied. */
const ROUNDS = 100;

/** Table to keys. */
export type ChangedKeys = ReadonlyMap<string, readonly Key[]>;

const countKeys = (changed: ChangedKeys): number => [...changed.values()].flat().length;

/** Looks at both cells after a round: the old one as it was at the round's moment, so that both must be the same. */
type Look = (changed: ChangedKeys) => Promise<void>;

const lookAway: Look = async () => {};

/**
 * Copies the rows that are noted now, as they are at one moment; returns their keys. All are deleted first: a name may have gone
 * from one row to another.
 */
export async function followOnce({ from, to, merchantId, tables }: Move, look = lookAway): Promise<ChangedKeys> {
  const changes = await transact(from, SNAPSHOT, async () => {
    const noted = await readChanges(from, merchantId);
    const parts = tables.map((table) => ({ table, chunks: chunksOf(noted.keys.get(table.name) ?? []) }));
    for (const { table, chunks } of parts.filter((part) => part.chunks.length > 1))
      for (const keys of chunks) await deleteRows(to, table, merchantId, keys);
    for (const { table, chunks } of parts)
      for (const keys of chunks) {
        const { rows } = await readRows(from, table, merchantId, keys);
        await replaceRows({ from, to }, table, merchantId, keys, rows);
      }
    await look(noted.keys);
    return noted;
  });
  if (changes.ids.length > 0) await forgetChanges(from, changes.ids);
  return changes.keys;
}

/** Follows until few changed rows are left. Throws if the merchant changes faster than that. */
export async function follow(move: Move, look = lookAway): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const count = countKeys(await followOnce(move, look));
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
  while (countKeys(await followOnce(move, look)) > 0);
}
