// Which cell decides on a line of the operator's settlement file that names no intent of anybody's.
import { isBankLine } from "@/server/domain/reconciliation-bank";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { allCells, type Cell } from "@/server/platform/cell";
import { cellOfReference } from "@/server/platform/cell-of";

type Subject = Pick<SettlementLine, "kind" | "reference">;

/** The reference under which a line names an intent; a bank transfer is about many. */
export function referenceOf(line: Subject): string | null {
  return isBankLine(line) ? null : line.reference;
}

/** The operator's bank account, and what names no reference of ours, belong to the first cell. */
export function homeOfLine(line: Subject): Cell {
  const reference = referenceOf(line);
  return reference === null ? allCells()[0] : cellOfReference(reference);
}
