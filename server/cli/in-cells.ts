// In which cells a command works (docs/decisions/0079). With one cell, every command works in that one.
import { isNotFound, ServiceError, validationError } from "@/server/domain/errors";
import { allCells, type Cell, inCell, isOnlyCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { cellOfPublicKey } from "@/server/services/api-keys/authenticate";
import { isInUnknownCell } from "@/server/services/cells/between";
import { cellOfMerchant, inCellThatKnows, listFences } from "@/server/services/cells/moved";
import { asServiceError } from "@/server/services/outage";

/**
 * none: it reaches no database. merchant, id, publicKey: the cell that has what that option names. cell: the one that `--cell`
 * names, the first by default. every: all, one after the other. merchant or every: the merchant's, or all if none is given.
 * own: its service finds them.
 */
export type CellUse = "none" | "merchant" | "id" | "publicKey" | "cell" | "every" | "merchant or every" | "own";

type Values = Readonly<Record<string, string | boolean | null>>;
type Run = () => Promise<object>;

/** A cell in which a command did not succeed, in wire names. */
interface FailedCell {
  readonly cell: string;
  readonly code: string;
  readonly message: string;
}

/** Runs a command in the cells that its declaration says, and returns the one document. Throws what the command throws. */
export function runInCells(use: CellUse, values: Values, run: Run): Promise<object> {
  const text = (name: string): string => (typeof values[name] === "string" ? values[name] : "");
  switch (use) {
    case "none":
    case "own":
      return run();
    case "merchant":
      return inCellOfMerchant(text("merchant"), run);
    case "id":
      return inCellThatKnows(cellOfId(text("id")), isNotFound, run);
    case "publicKey":
      return inCellThatKnows(cellOfPublicKey(text("publicKey")), isNotFound, run);
    case "cell":
      return inNamedCell(text("cell"), run);
    case "merchant or every":
      return text("merchant") === "" ? inEvery(run) : inCellOfMerchant(text("merchant"), run);
    case "every":
      return inEvery(run);
  }
}

async function inCellOfMerchant(merchantId: string, run: Run): Promise<object> {
  return inCell(await cellOfMerchant(cellOfId(merchantId), merchantId), run);
}

async function inNamedCell(name: string, run: Run): Promise<object> {
  const cells = allCells();
  const cell = name === "" ? cells[0] : cells.find((one) => one.name === name);
  if (!cell) throw validationError("cell", `must be one of ${cells.map((one) => one.name).join(", ")}`);
  return inCell(cell, run);
}

/**
 * Runs it in all cells. One that fails does not keep the others from being worked on, nor does one that CELLS does not name: that has
 * failed as well. Throws if all fail.
 */
async function inEvery(run: Run): Promise<object> {
  if (isOnlyCell()) return run();
  const done: (readonly [Cell, object])[] = [];
  const failed: FailedCell[] = [];
  const errors: ServiceError[] = [];
  const unknown = new Set<string>();
  for (const cell of allCells()) {
    try {
      done.push([cell, await inCell(cell, run)]);
      for (const fence of await inCell(cell, listFences)) if (isInUnknownCell(fence)) unknown.add(fence.otherCell);
    } catch (error) {
      const known = asServiceError(error);
      if (!known) throw error;
      errors.push(known);
      failed.push({ cell: cell.name, code: known.code, message: known.message });
    }
  }
  for (const cell of unknown)
    failed.push({
      cell,
      code: "service_unavailable",
      message: "Merchants have moved to this cell, which CELLS does not name.",
    });
  if (done.length === 0) throw errors[0] ?? new ServiceError("service_unavailable", "No cell answers.", 1);
  return { ...joined(done), ...(failed.length > 0 && { failed_cells: failed }) };
}

/** Lists become one list, whose rows tell their cell; other documents stand beside each other. */
function joined(done: readonly (readonly [Cell, object])[]): object {
  const documents = done.map(([, document]) => document);
  if (!documents.every(isList)) return { cells: done.map(([{ name }, document]) => ({ cell: name, ...document })) };
  const data = documents.flatMap((list, at) => list.data.map((row) => ({ ...row, cell: done[at]?.[0].name })));
  const pages = documents.filter((list) => list.has_more !== undefined);
  return { data, ...(pages.length > 0 && { has_more: pages.some((list) => list.has_more) }) };
}

interface List {
  readonly data: readonly object[];
  readonly has_more?: boolean;
}

function isList(document: object): document is List {
  return "data" in document && Object.keys(document).every((name) => name === "data" || name === "has_more");
}

/** Whether the document says that all went well, by what `succeeded` says of a single cell's. */
export function succeededInCells(document: object, succeeded: (document: object) => boolean = () => true): boolean {
  if ("failed_cells" in document) return false;
  if (isOnlyCell() || !("cells" in document) || !Array.isArray(document.cells)) return succeeded(document);
  return document.cells.every(succeeded);
}
