// Which cell each line of the operator's settlement file belongs to.
import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { findReferencesAcrossMerchants } from "@/server/db/reconciliation/books";
import type { ImportScope } from "@/server/db/reconciliation/import";
import { findKnownLinesAcrossMerchants } from "@/server/db/reconciliation/lines";
import { ServiceError } from "@/server/domain/errors";
import type { KnownLine } from "@/server/domain/reconciliation";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { cellOfReference } from "@/server/platform/cell-of";
import { departuresOf, isAnyBetween } from "../cells/between";
import { cellsBeyond } from "../cells/moved";
import { asServiceError, temporarilyUnavailable } from "../outage";
import { homeOfLine, referenceOf } from "./home-of-line";

/** What the work returns; null if the cell does not answer, which is noted. Throws if it is the first one. */
async function orAway<Result>(cell: Cell, away: Set<Cell>, work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await inOtherCell(cell, work);
  } catch (error) {
    if (cell.tag === "" || asServiceError(error)?.code !== "service_unavailable") throw error;
    away.add(cell);
    return null;
  }
}

export interface CellsOfLines {
  /** True if the cell did not answer: what may be its lines waits for it, also if it has come back since. */
  readonly wasAway: (cell: Cell) => boolean;
  readonly cellOf: (line: SettlementLine) => Cell;
  /** Throws service_unavailable if merchants have begun to leave the cell since the lines were distributed, or have left it. */
  readonly requireSame: (cell: Cell, fences: readonly MerchantFence[]) => void;
  /** Other lines of all cells under the same `line_id`, which is used. Nobody's stay in their cell when a merchant moves. */
  readonly knownElsewhere: readonly KnownLine[];
}

/**
 * Finds the cell of each line: that of its reference's merchant, who may have moved. A provider from which an intent has failed
 * over may have its money all the same: then the line is nobody's, in the merchant's cell, where a journal entry can name its
 * exception. Throws service_unavailable while a merchant moves, or after it has moved to a cell that this process does not know:
 * its lines would seem to be about nothing.
 */
export async function cellsOfLines(scope: ImportScope, file: readonly SettlementLine[]): Promise<CellsOfLines> {
  const cells = allCells();
  const away = new Set<Cell>();
  const fences = new Map<string, readonly MerchantFence[]>();
  for (const cell of cells) fences.set(cell.name, (await orAway(cell, away, listMerchantFencesAcrossMerchants)) ?? []);
  if (isAnyBetween(fences)) throw temporarilyUnavailable();
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
      const named = await orAway(where, away, () => findReferencesAcrossMerchants(scope.environment, references));
      if (named) requireSame(where, named.fences);
      return named?.found ?? [];
    };
    for (const other of beyond.cells) for (const reference of await find(other)) moved.set(reference, other);
    // What no cell that answers knows may be in one that does not: then it waits for that.
    const absent = beyond.cells.find((other) => away.has(other));
    if (!absent) continue;
    const atHome = new Set(await find(cell));
    for (const reference of references)
      if (!atHome.has(reference) && !moved.has(reference)) moved.set(reference, absent);
  }
  const knownElsewhere: KnownLine[] = [];
  for (const cell of cells.length === 1 ? [] : cells)
    knownElsewhere.push(...((await orAway(cell, away, () => findNamesakes(scope, file))) ?? []));
  return {
    wasAway: (cell) => away.has(cell),
    cellOf: (line) => moved.get(referenceOf(line) ?? "") ?? homeOfLine(line),
    requireSame,
    knownElsewhere,
  };
}

/** Other lines in the running work's cell that have the `line_id` of one of those lines. */
async function findNamesakes(scope: ImportScope, lines: readonly SettlementLine[]): Promise<KnownLine[]> {
  const known = await findKnownLinesAcrossMerchants(scope, lines);
  const [digests, names] = [new Set(lines.map(({ digest }) => digest)), new Set(lines.map(({ lineId }) => lineId))];
  // A duplicate was not the first under its id either.
  return known.filter(
    ({ digest, lineId, verdict }) => names.has(lineId) && !digests.has(digest) && verdict !== "duplicate",
  );
}
