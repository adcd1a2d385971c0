// Which cell each line of the operator's settlement file belongs to.
import { listMerchantFencesAcrossMerchants } from "@/server/db/merchant-fences";
import { findNamedReferencesAcrossMerchants } from "@/server/db/reconciliation/books";
import type { ImportScope } from "@/server/db/reconciliation/import";
import { isBankLine } from "@/server/domain/reconciliation-bank";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { cellOfReference } from "@/server/platform/cell-of";
import { cellsBeyond } from "../cells/moved";
import { asServiceError, temporarilyUnavailable } from "../outage";

/** The operator's bank account, and what names no reference of ours, belong to the first cell. */
function cellOfName(line: SettlementLine): Cell {
  const reference = referenceOf(line);
  return reference === null ? allCells()[0] : cellOfReference(reference);
}

const referenceOf = (line: SettlementLine): string | null => (isBankLine(line) ? null : line.reference);

/** The fences of a cell; none of one that is away, whose lines wait for it anyway. */
async function fencesOf(cell: Cell) {
  try {
    return await inCell(cell, listMerchantFencesAcrossMerchants);
  } catch (error) {
    if (cell.tag === "" || asServiceError(error)?.code !== "service_unavailable") throw error;
    return [];
  }
}

/**
 * Returns the cell of each line: that of its reference's merchant, who may have moved. Throws service_unavailable while a
 * merchant moves: its lines would seem to be about nothing.
 */
export async function cellsOfLines(
  scope: ImportScope,
  file: readonly SettlementLine[],
): Promise<(line: SettlementLine) => Cell> {
  const moved = new Map<string, Cell>();
  for (const cell of allCells().length === 1 ? [] : allCells()) {
    const fences = await fencesOf(cell);
    if (fences.some(({ state }) => state === "closing" || state === "leaving")) throw temporarilyUnavailable();
    if (fences.length === 0) continue;
    const references = file
      .map(referenceOf)
      .filter((reference) => reference !== null)
      .filter((reference) => cellOfReference(reference).name === cell.name);
    for (const other of references.length === 0 ? [] : await cellsBeyond(cell, fencesOf)) {
      const named = await inCell(other, () => findNamedReferencesAcrossMerchants(scope, references));
      for (const reference of named) moved.set(reference, other);
    }
  }
  return (line) => moved.get(referenceOf(line) ?? "") ?? cellOfName(line);
}
