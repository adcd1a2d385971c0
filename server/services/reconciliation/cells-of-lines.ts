// Which cell each line of the operator's settlement file belongs to.
import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { findNamedReferencesAcrossMerchants } from "@/server/db/reconciliation/books";
import type { ImportScope } from "@/server/db/reconciliation/import";
import { ServiceError } from "@/server/domain/errors";
import { isBankLine } from "@/server/domain/reconciliation-bank";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { cellOfReference } from "@/server/platform/cell-of";
import { cellsBeyond, departuresOf } from "../cells/moved";
import { asServiceError, temporarilyUnavailable } from "../outage";

/** The operator's bank account, and what names no reference of ours, belong to the first cell. */
function cellOfName(line: SettlementLine): Cell {
  const reference = referenceOf(line);
  return reference === null ? allCells()[0] : cellOfReference(reference);
}

const referenceOf = (line: SettlementLine): string | null => (isBankLine(line) ? null : line.reference);

/** The fences of a cell; none of one that is away, whose lines wait for it anyway. */
async function fencesOf(cell: Cell): Promise<readonly MerchantFence[]> {
  return (await orAway(cell, listMerchantFencesAcrossMerchants)) ?? [];
}

/** What the work returns; null if the cell does not answer. Throws if it is the first one. */
async function orAway<Result>(cell: Cell, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await inCell(cell, work);
  } catch (error) {
    if (cell.tag === "" || asServiceError(error)?.code !== "service_unavailable") throw error;
    return null;
  }
}

export interface CellsOfLines {
  readonly cellOf: (line: SettlementLine) => Cell;
  /** Throws service_unavailable if merchants have begun to leave the cell since the lines were distributed, or have left it. */
  readonly requireSame: (cell: Cell, fences: readonly MerchantFence[]) => void;
}

/** True while a merchant has left its old cell and is not open in the new one yet. */
function isBetweenCells(fences: ReadonlyMap<string, readonly MerchantFence[]>): boolean {
  const isReady = (cell: string, merchantId: string) =>
    fences.get(cell)?.some((fence) => fence.merchantId === merchantId && fence.state === "ready");
  return [...fences.values()]
    .flat()
    .some(({ merchantId, state, otherCell }) => state === "left" && isReady(otherCell, merchantId));
}

/**
 * Finds the cell of each line: that of its reference's merchant, who may have moved. Throws service_unavailable while a
 * merchant moves, or after it has moved to a cell that this process does not know: its lines would seem to be about nothing.
 */
export async function cellsOfLines(scope: ImportScope, file: readonly SettlementLine[]): Promise<CellsOfLines> {
  const cells = allCells();
  const fences = new Map<string, readonly MerchantFence[]>();
  for (const cell of cells) fences.set(cell.name, await fencesOf(cell));
  const isClosed = ({ state }: MerchantFence) => state === "closing" || state === "leaving";
  if ([...fences.values()].flat().some(isClosed) || isBetweenCells(fences)) throw temporarilyUnavailable();
  const requireSame: CellsOfLines["requireSame"] = ({ name }, present) => {
    if (departuresOf(present) !== departuresOf(fences.get(name) ?? [])) throw temporarilyUnavailable();
  };
  const moved = new Map<string, Cell>();
  for (const cell of cells) {
    const references = file
      .map(referenceOf)
      .filter((reference) => reference !== null)
      .filter((reference) => cellOfReference(reference).name === cell.name);
    if (references.length === 0) continue;
    const beyond = await cellsBeyond(cell, async ({ name }) => fences.get(name) ?? []);
    const [unknown] = beyond.unknown;
    if (unknown !== undefined)
      throw new ServiceError("service_unavailable", `Merchants moved to ${unknown}, which CELLS does not name.`, 1);
    const find = async (where: Cell) => {
      const named = await orAway(where, () => findNamedReferencesAcrossMerchants(scope, references));
      if (named) requireSame(where, named.fences);
      return named?.found;
    };
    const away: Cell[] = [];
    for (const other of beyond.cells) {
      const found = await find(other);
      if (!found) away.push(other);
      for (const reference of found ?? []) moved.set(reference, other);
    }
    // What no cell that answers knows may be in one that does not: then it waits for that.
    const [absent] = away;
    if (!absent) continue;
    const atHome = new Set(await find(cell));
    for (const reference of references)
      if (!atHome.has(reference) && !moved.has(reference)) moved.set(reference, absent);
  }
  return {
    cellOf: (line) => moved.get(referenceOf(line) ?? "") ?? cellOfName(line),
    requireSame,
  };
}
