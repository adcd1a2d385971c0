// Ends what a restore or a failover has brought back: rows of a merchant in a cell that it has left.
import { acceptOvertaken, listMovesWithTriggers, readLeftBehind } from "@/server/db/moves/overtaken";
import { enterPhase, findOpenMove, type MoveRecord } from "@/server/db/moves/record";
import { deleteAllRows } from "@/server/db/moves/rows";
import { readMovedTables } from "@/server/db/moves/shape";
import { retryUnapplied } from "@/server/db/moves/unapplied-callbacks";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells } from "@/server/platform/cell";
import { type LocatedPresence, newestResidence, readPresences } from "../cells/presences";
import { requireLock, withOwners } from "./owners";
import { requireCell } from "./requirements";
import { requireStoredCopy } from "./standbys";
import { stopTriggersOf } from "./triggers";

/**
 * Removes the merchant's rows from a cell that it has left, and the notes of moves there. The cell was closed because the merchant
 * was open in another one, or was restored to the middle of a departure that is over. Ends the open record of a move that led away
 * from a cell that was closed. Throws validation_failed for any other cell, if an open move will remove the rows, and unless another
 * cell has the merchant, in the stay for which the cell was closed or in a later one; service_unavailable if a cell or
 * a replica of that cell does not answer, or another process moves the merchant. Returns the cell that has the merchant.
 */
export function dropCopy(merchantId: string, cellName: string): Promise<string> {
  return withOwners(async (connect) => {
    const home = await connect(allCells()[0]);
    const owner = await connect(requireCell("from", cellName));
    await requireLock(owner, merchantId);
    const left = await readLeftBehind(owner, merchantId);
    if (!left || !(left.isOvertaken || left.hasTraces))
      throw validationError("from", "must be a cell that the merchant has left and that still has rows of it");
    const residence = await requireLaterStay(merchantId, cellName);
    const there = await connect(residence.cell);
    await requireLock(there, merchantId);
    const record = await findOpenMove(home, merchantId);
    if (!left.isOvertaken && leadsThrough(record, cellName))
      throw validationError("the merchant", "has an open move, which removes these rows: finish it, or abort it");
    // Only exceptions of the older copy tell of what it could not apply: the worker hands that over.
    await retryUnapplied(owner, merchantId);
    await deleteAllRows(owner, await readMovedTables(owner), merchantId, async () => {
      await requireLaterStay(merchantId, cellName);
      await requireStoredCopy({ from: owner, to: there });
    });
    const isOver = record === null || record.fromCell === cellName;
    // The record of the merchant's move may have been restored, too. One that leads away from the other cell goes on.
    for (const one of isOver ? [owner, there] : [owner])
      await stopTriggersOf(one, await listMovesWithTriggers(one, merchantId), merchantId);
    if (record?.fromCell === cellName)
      await enterPhase(home, record.id, record.phase === "aborting" ? "aborted" : "done");
    await acceptOvertaken(owner, merchantId);
    return residence.cell.name;
  });
}

const leadsThrough = (record: MoveRecord | null, cellName: string): boolean =>
  record !== null && [record.fromCell, record.toCell].includes(cellName);

/** Returns where the merchant is open, in the stay for which the cell was closed or in a later one. Throws as `dropCopy` does. */
async function requireLaterStay(merchantId: string, cellName: string): Promise<LocatedPresence> {
  const { byMerchant } = await readPresences([merchantId]);
  const places = byMerchant.get(merchantId) ?? [];
  const residence = newestResidence(places);
  if (!residence)
    throw validationError("the merchant", `is open in no cell that answers, so its rows stay in ${cellName}`);
  const closed = places.find(({ cell }) => cell.name === cellName);
  if (!closed) throw new ServiceError("service_unavailable", `The cell ${cellName} does not answer.`, 1);
  if (residence.stay < (closed.nextStay ?? 0))
    throw validationError(
      "the merchant",
      `is open in ${residence.cell.name} in a state from before its rows in ${cellName} were closed, so they stay`,
    );
  return residence;
}
