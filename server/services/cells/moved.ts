// Finds what a merchant took along to another cell (docs/decisions/0082). The tag of an id or a key leads to the cell that made
// it. Where that cell does not have it, its fences tell where else to look; they are read then, so they are never stale.
import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { asServiceError, temporarilyUnavailable } from "../outage";

/** Cell to the cells that its merchants moved to, as this process last read it: for the time in which that cell is away. */
const lastKnown = new Map<string, readonly Cell[]>();

interface Passages {
  /** The cells beyond the first one, in the order in which they are reached. */
  readonly cells: readonly Cell[];
  /** True while a merchant is in none of them: it will be in one within seconds. */
  readonly isMoving: boolean;
}

const isElsewhere = ({ state }: MerchantFence): boolean => state !== "closing";

/** Follows the fences from a cell to the cells of all merchants that ever left it. */
async function passagesFrom(start: Cell): Promise<Passages> {
  const reached = [start];
  const closedIn = new Map<string, Set<string>>();
  const otherCells = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, key: string, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const cell of reached) {
    for (const fence of await inCell(cell, listMerchantFencesAcrossMerchants)) {
      note(closedIn, fence.merchantId, cell.name);
      if (isElsewhere(fence)) note(otherCells, fence.merchantId, fence.otherCell);
      const other = allCells().find(({ name }) => name === fence.otherCell);
      if (other && !reached.includes(other)) reached.push(other);
    }
  }
  const cells = reached.slice(1);
  lastKnown.set(start.name, cells);
  // A merchant that is fenced wherever its fences lead is open nowhere.
  const isMoving = [...closedIn].some(([merchantId, closed]) =>
    [...closed, ...(otherCells.get(merchantId) ?? [])].every((name) => closed.has(name)),
  );
  return { cells, isMoving };
}

/**
 * Runs work about something in the cell that its name leads to, and while `isUnknown` holds for what that throws, in the cells
 * to which merchants have moved from there. Throws what the first cell threw if none knows it; service_unavailable if it may
 * belong to a merchant that is moving. With one cell, it just runs the work. The work must not be in a cell yet.
 */
export async function inCellThatKnows<Result>(
  start: Cell,
  isUnknown: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  if (allCells().length === 1) return work();
  try {
    return await inCell(start, work);
  } catch (error) {
    const isAway = asServiceError(error)?.code === "service_unavailable";
    if (!isAway && !isUnknown(error)) throw error;
    const { cells, isMoving } = isAway
      ? { cells: lastKnown.get(start.name) ?? [], isMoving: false }
      : await passagesFrom(start);
    for (const cell of cells) {
      try {
        return await inCell(cell, work);
      } catch (elsewhere) {
        if (!isUnknown(elsewhere)) throw elsewhere;
      }
    }
    throw isMoving ? temporarilyUnavailable() : error;
  }
}

/** The cell that has a merchant now. Throws service_unavailable while it moves. */
export async function cellOfMerchant(start: Cell, merchantId: string): Promise<Cell> {
  if (allCells().length === 1) return start;
  const visited = new Set<string>();
  for (let cell = start; ; ) {
    if (visited.has(cell.name)) throw temporarilyUnavailable();
    visited.add(cell.name);
    const fences = await inCell(cell, listMerchantFencesAcrossMerchants);
    const fence = fences.find((one) => one.merchantId === merchantId);
    if (!fence || fence.state === "closing") return cell;
    const other = allCells().find(({ name }) => name === fence.otherCell);
    if (fence.state === "leaving" || !other) throw temporarilyUnavailable();
    cell = other;
  }
}
