// Which cell the running work belongs to: the database of its merchant. The scope follows the work itself, like its reach
// (reach.ts). With one cell, which is the default, there is nothing to follow.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Cell, Cells } from "./cells-setting";
import { env } from "./env";

export type { Cell, Cells } from "./cells-setting";

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & {
  sluiceCell?: AsyncLocalStorage<Cell>;
  sluiceIsOneOfSeveral?: boolean;
};
shared.sluiceCell ??= new AsyncLocalStorage<Cell>();
const storage = shared.sluiceCell;

/** Work needed its cell and had none, or named another cell than its own. */
export class OutOfCell extends Error {
  override readonly name = "OutOfCell";
}

/** All cells of the installation, the first one first. */
export function allCells(): Cells {
  return env().cells;
}

/** Makes known that the database of this process, whose configuration names one cell, belongs to an installation of several. */
export function noteOneOfSeveral(): void {
  shared.sluiceIsOneOfSeveral = true;
}

/**
 * True if nothing can be in another cell. A process that was started without CELLS, in an installation of several cells, has one cell
 * too: there, what is not found may be in a cell that it does not know.
 */
export function isOnlyCell(): boolean {
  return env().cells.length === 1 && !shared.sluiceIsOneOfSeveral;
}

/** The cell with a tag. An unknown tag names the first cell, where nothing will be found under it. */
export function cellOfTag(tag: string): Cell {
  const { cells } = env();
  return cells.find((cell) => cell.tag === tag) ?? cells[0];
}

/** The cell of the running work; null if there are several and it has none yet. */
export function cellIfKnown(): Cell | null {
  const { cells } = env();
  return cells.length === 1 ? cells[0] : (storage.getStore() ?? null);
}

/** The cell of the running work. Throws OutOfCell if there are several and it has none. */
export function currentCell(): Cell {
  const cell = cellIfKnown();
  if (!cell) throw new OutOfCell("work with a database needs inCell or inEachCell around it");
  return cell;
}

/** Runs work in a cell. Work that has a cell can only go on in the same one: throws OutOfCell for another. */
export function inCell<Result>(cell: Cell, work: () => Result): Result {
  if (env().cells.length === 1) return work();
  const present = storage.getStore();
  if (present?.name === cell.name) return work();
  if (present) throw new OutOfCell(`work in the cell ${present.name} named the cell ${cell.name}`);
  return storage.run(cell, work);
}

/**
 * Runs work in the first cell, whatever the cell of the running work: only for what all cells share there, which is the
 * directory of people and the counts of network addresses.
 */
export function inSharedCell<Result>(work: () => Result): Result {
  const { cells } = env();
  return cells.length === 1 ? work() : storage.run(cells[0], work);
}

/**
 * Runs work in another cell than the running work's: only for handing over what came to the cell that a merchant has left, and
 * what the move itself does.
 */
export function inOtherCell<Result>(cell: Cell, work: () => Result): Result {
  return env().cells.length === 1 ? work() : storage.run(cell, work);
}

/** Runs the work once in each cell, at the same time; returns the results in the order of the cells. */
export function inEachCell<Result>(work: (cell: Cell) => Promise<Result>): Promise<Result[]> {
  return Promise.all(allCells().map((cell) => inCell(cell, () => work(cell))));
}

/**
 * Returns a function that gives the value of the running work's cell, made when it is first needed. Values that both module
 * graphs of the process share are in a map on globalThis.
 */
export function perCell<Value>(make: () => Value, values = new Map<string, Value>()): () => Value {
  return () => {
    const { name } = currentCell();
    const known = values.get(name);
    if (known !== undefined) return known;
    const value = make();
    values.set(name, value);
    return value;
  };
}

/** The label of a cell's metrics; none with one cell, so that its dashboards and alerts stay as they are. */
export function cellLabel(name: string): { readonly cell?: string } {
  return env().cells.length === 1 ? {} : { cell: name };
}
