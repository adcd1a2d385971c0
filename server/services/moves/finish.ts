// After the point of no return: the merchant opens in the new cell, and its rows in the old one are removed.
import { openArrival, readDeparture, readOpenStay, requireClosed } from "@/server/db/moves/handover";
import type { Owner } from "@/server/db/moves/owner";
import { notePause } from "@/server/db/moves/record";
import { deleteRows, readPage } from "@/server/db/moves/rows";
import { handOverUnapplied } from "@/server/db/moves/unapplied-callbacks";
import { ServiceError } from "@/server/domain/errors";
import { recordMove } from "./audit";
import { type Move, type OpenMove, ROWS_AT_ONCE } from "./move";
import { requireStoredCopy } from "./standbys";
import { stopTriggers } from "./triggers";

/** Opens the merchant in the new cell, unless a worker has. */
export async function open(move: Move): Promise<void> {
  const { from, to, home, record, merchantId, say } = move;
  const departure = await readDeparture(from, merchantId);
  if (departure?.word) await openArrival(to, merchantId, departure.word);
  await requireMoved(move);
  await handOverUnapplied(from, to, merchantId);
  if (departure) await notePause(home, record.id, departure.pausedMs);
  say(`the merchant is open in ${to.cell.name}; it was paused for ${departure?.pausedMs} ms`);
}

/**
 * Throws validation_failed unless the old cell says that the merchant has left it for the new one, and the new one has it. Each of
 * them may have been restored to an earlier time since the record was written.
 */
async function requireMoved({ from, to, merchantId }: Move): Promise<void> {
  const departure = await readDeparture(from, merchantId);
  const hasGone = departure?.hasLeft && departure.otherCell === to.cell.name;
  if (hasGone && ((await readOpenStay(to, merchantId)) ?? -1) >= (departure.stay ?? 0)) return;
  throw new ServiceError(
    "validation_failed",
    `The move says that the merchant has left ${from.cell.name} for ${to.cell.name}, and the cells do not: one of them was restored or failed over. No rows are removed. If the merchant has gone on to another cell since, run the command with --abort; else see "A cell lacks a move" in docs/operating.md.`,
  );
}

/** Removes what the merchant has left behind, once nothing but a backup of the new cell could lose its rows. */
export async function removeFromOld(move: Move): Promise<void> {
  const { from, merchantId } = move;
  await requireMoved(move);
  await requireStoredCopy(move);
  await recordMove(move, "merchant.move_end");
  // Until then its triggers refuse what somebody writes who reads no fences.
  await removeRows(move, from);
  await stopTriggers(move);
  move.say(`removed its rows from ${from.cell.name} (${merchantId})`);
}

/** Deletes the merchant's rows in a cell. Throws validation_failed if it is open there. */
export async function removeRows(of: Pick<OpenMove, "merchantId" | "tables">, owner: Owner): Promise<void> {
  const { merchantId, tables } = of;
  await requireClosed(owner, merchantId);
  for (const table of tables) {
    for (let after: string | null = null; ; ) {
      const { keys } = await readPage(owner, table, merchantId, "key", after, ROWS_AT_ONCE);
      if (keys.length === 0) break;
      await deleteRows(owner, table, merchantId, keys);
      after = keys.at(-1) ?? after;
    }
  }
}
