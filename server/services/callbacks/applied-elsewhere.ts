// A callback that its provider repeats may have been applied in a cell that its merchant has left since: the merchant came along with
// what it did, and the callback's row stayed.
import { isAppliedAcrossMerchants, type StoredCallback } from "@/server/db/callbacks";
import { readPresencesAcrossMerchants } from "@/server/db/merchant-stays";
import { allCells, type Cell, currentCell, inOtherCell } from "@/server/platform/cell";
import { findOwnerOf, type LocatedReading } from "./try";

/**
 * True if a claimed callback was tried before and another cell has applied it, from which its merchant has come to `present`. A cell
 * that was restored to a time before does not say so. Throws if a cell that must be asked is away.
 */
export async function isAppliedElsewhere(
  callback: StoredCallback,
  reading: LocatedReading,
  present: Cell,
): Promise<boolean> {
  if (callback.attempts < 2 || allCells().length === 1) return false;
  const merchantId = reading.merchantId ?? (await inOtherCell(present, () => findOwnerOf(callback, reading)));
  if (merchantId === null) return false;
  const [presence] = await inOtherCell(present, () => readPresencesAcrossMerchants([merchantId]));
  for (const cell of allCells()) {
    if (cell.name === currentCell().name || !presence?.fromCells.includes(cell.name)) continue;
    if (await inOtherCell(cell, () => isAppliedAcrossMerchants(callback))) return true;
  }
  return false;
}
