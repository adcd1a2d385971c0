// After the point of no return: the merchant opens in the new cell, and its rows in the old one are removed.
import { openArrival, readDeparture, readOpenStay } from "@/server/db/moves/handover";
import { notePause } from "@/server/db/moves/record";
import { deleteAllRows } from "@/server/db/moves/rows";
import { handOverUnapplied } from "@/server/db/moves/unapplied-callbacks";
import { ServiceError } from "@/server/domain/errors";
import { digestUnder } from "../callbacks/digest";
import { recordMove } from "./audit";
import type { Move } from "./move";
import { endSessionsIdleFor, requireSameDatabase } from "./owners";
import { requireStoredCopy } from "./standbys";
import { stopTriggers } from "./triggers";

/** Opens the merchant in the new cell, unless a worker has. */
export async function open(move: Move): Promise<void> {
  const { from, to, home, record, merchantId, say } = move;
  const departure = await readDeparture(from, merchantId);
  if (departure?.word) await openArrival(to, merchantId, departure.word);
  await requireMoved(move);
  await handOverUnapplied(from, to, merchantId, digestUnder);
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
  const { from, to, merchantId, tables } = move;
  // The merchant is open.
  await endSessionsIdleFor(null, [from, to]);
  const confirm = async () => {
    for (const owner of [from, to]) await requireSameDatabase(owner, merchantId);
    await requireMoved(move);
    await requireStoredCopy(move);
  };
  await confirm();
  await recordMove(move, "merchant.move_end");
  // Until then its triggers refuse what somebody writes who reads no fences.
  await deleteAllRows(from, tables, merchantId, confirm);
  await stopTriggers(move);
  move.say(`removed its rows from ${from.cell.name} (${merchantId})`);
}
