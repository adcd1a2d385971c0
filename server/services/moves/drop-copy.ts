// Ends what a restore or a failover has brought back: the older copy of a merchant that was open in two cells.
import { acceptOvertaken, listMovesWithTriggers, readOvertaken } from "@/server/db/moves/overtaken";
import { enterPhase, findOpenMove } from "@/server/db/moves/record";
import { deleteAllRows } from "@/server/db/moves/rows";
import { readMovedTables } from "@/server/db/moves/shape";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells } from "@/server/platform/cell";
import { type LocatedPresence, newestResidence, readPresences } from "../cells/presences";
import { requireLock, withOwners } from "./owners";
import { requireCell } from "./requirements";
import { stopTriggersOf } from "./triggers";

/**
 * Removes the merchant's rows from a cell that was closed for it because it was open in another one. Ends the open record of a
 * move that led away from the cell. Throws validation_failed for any other cell, and unless another one has the merchant, in the
 * stay for which the cell was closed or in a later one; service_unavailable if a cell does not answer or another process moves the
 * merchant. Returns the cell that has the merchant.
 */
export function dropCopy(merchantId: string, cellName: string): Promise<string> {
  return withOwners(async (connect) => {
    const home = await connect(allCells()[0]);
    const owner = await connect(requireCell("from", cellName));
    await requireLock(owner, merchantId);
    const newer = await readOvertaken(owner, merchantId);
    if (newer === null)
      throw validationError("from", "must be a cell that was closed because the merchant was open in two");
    const residence = await requireLaterStay(merchantId, cellName);
    const there = await connect(residence.cell);
    await requireLock(there, merchantId);
    await deleteAllRows(owner, await readMovedTables(owner), merchantId, async () => {
      await requireLaterStay(merchantId, cellName);
    });
    const record = await findOpenMove(home, merchantId);
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
