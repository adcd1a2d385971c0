// After the point of no return: the merchant opens in the new cell, and its rows in the old one are removed.
import { endArrival, readDeparture } from "@/server/db/moves/fences";
import type { Owner } from "@/server/db/moves/owner";
import { notePause } from "@/server/db/moves/record";
import { deleteRows, readPage } from "@/server/db/moves/rows";
import { recordMove } from "./audit";
import { type Move, ROWS_AT_ONCE } from "./move";
import { stopNoting } from "./noting";

/** Opens the merchant in the new cell. */
export async function open(move: Move): Promise<void> {
  const { from, to, home, record, merchantId, say } = move;
  await endArrival(to, merchantId);
  const departure = await readDeparture(from, merchantId);
  if (departure) await notePause(home, record.id, departure.pausedMs);
  say(`the merchant is open in ${to.cell.name}; it was paused for ${departure?.pausedMs} ms`);
}

/** Removes what the merchant has left behind. */
export async function removeFromOld(move: Move): Promise<void> {
  const { from, merchantId } = move;
  await recordMove(move, "merchant.move_end");
  await stopNoting(move);
  await removeRows(move, from);
  move.say(`removed its rows from ${from.cell.name} (${merchantId})`);
}

/** Deletes the merchant's rows in a cell that it is not open in. */
export async function removeRows({ merchantId, tables }: Move, owner: Owner): Promise<void> {
  for (const table of tables) {
    for (let after: string | null = null; ; ) {
      const { keys } = await readPage(owner, table, merchantId, "key", after, ROWS_AT_ONCE);
      if (keys.length === 0) break;
      await deleteRows(owner, table, merchantId, keys);
      after = keys.at(-1) ?? after;
    }
  }
}
