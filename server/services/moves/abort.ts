// Undoing a move before the point of no return: the copy is removed, and the merchant goes on where it was.
import { endArrival, hasStayed, leaveAgain } from "@/server/db/moves/fences";
import { readDeparture, readOpenStay, requireClosed } from "@/server/db/moves/handover";
import type { Owner } from "@/server/db/moves/owner";
import { enterPhase, HAS_SWITCHED } from "@/server/db/moves/record";
import { deleteAllRows } from "@/server/db/moves/rows";
import { cellOfId } from "@/server/platform/cell-of";
import { recordMove } from "./audit";
import type { OpenMove } from "./move";
import { findThirdCell, isNotIn, isOlderIn } from "./one-home";
import { requireStoredCopy } from "./standbys";
import { stopTriggers, stopTriggersIn } from "./triggers";

/**
 * Ends the move as aborted. The merchant is open in the old cell already. Throws validation_failed if it is open in the new one, and
 * if the old one lacks it or has it in a state from before it left the new one: then the copy may be its last rows.
 */
export async function endAborted(move: OpenMove): Promise<void> {
  const { home, from, to, record, merchantId, tables, say } = move;
  await requireClosed(to, merchantId);
  await requireOlderCopy(move);
  await enterPhase(home, record.id, "aborting");
  await stopTriggersIn(move, from);
  await deleteAllRows(to, tables, merchantId, () => requireOlderCopy(move));
  await closeArrival(move, from.cell.name);
  // Until then they refuse what somebody writes into the copy who reads no fences.
  await stopTriggersIn(move, to);
  await recordMove(move, "merchant.move_abort");
  await enterPhase(home, record.id, "aborted");
  say(`the merchant stays in ${from.cell.name}`);
}

/** Removes the fence of the copy, or lets it lead to the merchant again if it has been in the new cell before. */
async function closeArrival({ to, record, merchantId }: OpenMove, home: string): Promise<void> {
  // A record from before a failover of the first cell may not know that the merchant has been there since.
  const wasThere = record.isReturn || cellOfId(merchantId).name === to.cell.name || (await hasStayed(to, merchantId));
  if (wasThere) await leaveAgain(to, merchantId, home);
  else await endArrival(to, merchantId);
}

/**
 * Ends a move whose merchant is open in a third cell, in its last state, as all cells say: a failover of the first cell has brought the
 * record back. What is left of the merchant in the two cells of the move is removed.
 */
export async function endOvertaken(move: OpenMove & { readonly third: Owner }): Promise<void> {
  const { home, from, to, third, record, merchantId, tables, say } = move;
  await requireStoredCopy({ from, to: third });
  const confirm = async () => {
    const home = await findThirdCell(merchantId, record);
    if (home?.name !== third.cell.name) throw isNotIn(third.cell);
  };
  for (const owner of [from, to]) await deleteAllRows(owner, tables, merchantId, confirm);
  await closeArrival(move, third.cell.name);
  await stopTriggers(move);
  await recordMove({ ...move, from: third }, "merchant.move_abort");
  await enterPhase(home, record.id, HAS_SWITCHED.includes(record.phase) ? "done" : "aborted");
  say(`the merchant stays in ${third.cell.name}`);
}

async function requireOlderCopy({ from, to, merchantId }: OpenMove): Promise<void> {
  const stay = await readOpenStay(from, merchantId);
  if (stay === null) throw isNotIn(from.cell);
  const departure = await readDeparture(to, merchantId);
  if (departure?.hasLeft && (departure.stay ?? 0) > stay) throw isOlderIn(from.cell, to.cell);
}
