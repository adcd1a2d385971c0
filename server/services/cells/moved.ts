// Finds what a merchant took along to another cell (docs/decisions/0082). The tag of an id or a key leads to the cell that made
// it. Where that cell does not have it, its fences tell where else to look; they are read then, so they are never stale.
import { setTimeout as sleep } from "node:timers/promises";
import { hasMerchantLeft } from "@/server/db/failures";
import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { listMovedMerchantsAcrossMerchants, readPresencesAcrossMerchants } from "@/server/db/merchant-stays";
import { allCells, type Cell, currentCell, inCell, inOtherCell, isOnlyCell } from "@/server/platform/cell";
import { asServiceError, temporarilyUnavailable } from "../outage";
import { departuresOf, isInUnknownCell } from "./between";

/** Cell to the cells that its fences named when this process last read them: for the time in which that cell is away. */
const lastKnown = new Map<string, readonly string[]>();

interface Passages {
  /** The cells beyond the first one that answer; beyond one that is away, those that it led to before. */
  readonly cells: readonly Cell[];
  /** True if one of them does not answer. */
  readonly isAnyAway: boolean;
  /** True while a merchant is in none of them: it will be in one within seconds, or once this process knows all cells. */
  readonly isMoving: boolean;
}

/** Notes where a cell leads to. */
export function noteWays(cell: string, ways: Iterable<string>): void {
  lastKnown.set(cell, [...new Set(ways)]);
}

/** Where a cell led to, and those cells from there, as far as this process knows. */
function lastKnownFrom(start: Cell): readonly Cell[] {
  const reached = [start];
  for (const cell of reached)
    for (const other of (lastKnown.get(cell.name) ?? []).flatMap((name) => cellNamed(name) ?? []))
      if (!reached.includes(other)) reached.push(other);
  return reached.slice(1);
}

const isUnavailable = (error: unknown): boolean => asServiceError(error)?.code === "service_unavailable";

/** Follows the fences from a cell to the cells of all merchants that ever left it. Throws if that cell is away. */
async function passagesFrom(start: Cell): Promise<Passages> {
  const away = new Set<Cell>();
  const read = async (cell: Cell): Promise<readonly MerchantFence[]> => {
    try {
      const fences = await inCell(cell, listMerchantFencesAcrossMerchants);
      noteWays(
        cell.name,
        fences.map(({ otherCell }) => otherCell),
      );
      return fences;
    } catch (error) {
      if (cell === start || !isUnavailable(error)) throw error;
      away.add(cell);
      return [];
    }
  };
  const { cells, fences } = await cellsBeyond(start, read, (cell) =>
    away.has(cell) ? (lastKnown.get(cell.name) ?? []) : [],
  );
  // Nobody waits for it a second time.
  const present = cells.filter((cell) => !away.has(cell));
  return { cells: present, isAnyAway: away.size > 0, isMoving: isAnyNowhere(fences) };
}

/**
 * True if a merchant is fenced wherever its fences lead, or lost: it is open nowhere, or in a cell that this process does not know.
 */
export function isAnyNowhere(fences: ReadonlyMap<string, readonly MerchantFence[]>): boolean {
  const closedIn = new Map<string, Set<string>>();
  const namedBy = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, key: string, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const [cell, there] of fences) {
    for (const { merchantId, state, otherCell, isLost } of there) {
      if (isLost) return true;
      note(closedIn, merchantId, cell);
      if (state !== "closing") note(namedBy, merchantId, otherCell);
    }
  }
  return [...closedIn].some(([merchantId, closed]) =>
    [...closed, ...(namedBy.get(merchantId) ?? [])].every((name) => closed.has(name) || !isKnown(name)),
  );
}

/** The departures of all of those cells, as text; null while a merchant is open in no cell. */
export async function readDepartures(cells: readonly Cell[]): Promise<string | null> {
  const read = async (cell: Cell) => [cell.name, await inCell(cell, listMerchantFencesAcrossMerchants)] as const;
  const fences = new Map(await Promise.all(cells.map(read)));
  if (isAnyNowhere(fences)) return null;
  return [...fences].map(([cell, there]) => `${cell}: ${departuresOf(there)}`).join("; ");
}

const cellNamed = (name: string): Cell | undefined => allCells().find((cell) => cell.name === name);
const isKnown = (name: string): boolean => cellNamed(name) !== undefined;

/**
 * What one look into the cells has brought; `error` is what the first cell threw if none knows it. `isAway` if a cell that may know
 * it does not answer.
 */
type Look<Result> =
  | { readonly result: Result }
  | { readonly error: unknown; readonly isMoving: boolean; readonly isAway: boolean };

async function lookOnce<Result>(
  start: Cell,
  isUnknown: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Look<Result>> {
  try {
    return { result: await inCell(start, work) };
  } catch (error) {
    const isElsewhere = (one: unknown) => isUnknown(one) || hasMerchantLeft(one);
    const isAway = !isElsewhere(error) && isUnavailable(error);
    if (!isAway && !isElsewhere(error)) throw error;
    const passages = isAway
      ? { cells: lastKnownFrom(start), isAnyAway: true, isMoving: false }
      : await passagesFrom(start);
    const { cells, isMoving } = passages;
    let { isAnyAway } = passages;
    for (const cell of cells) {
      try {
        return { result: await inCell(cell, work) };
      } catch (elsewhere) {
        // Another cell may know it all the same.
        if (!isElsewhere(elsewhere) && isUnavailable(elsewhere)) isAnyAway = true;
        else if (!isElsewhere(elsewhere)) throw elsewhere;
      }
    }
    return { error: isAnyAway && !isAway ? temporarilyUnavailable() : error, isMoving, isAway: isAnyAway };
  }
}

/**
 * Runs work about something in the cell that its name leads to, and while `isUnknown` holds for what that throws or its merchant
 * has left, in the cells to which merchants have moved from there. Throws what the first cell threw if none knows it;
 * service_unavailable if it may belong to a merchant that is moving, or of a cell that does not answer. With one cell, it just runs
 * the work. The work must not be in a cell yet. `forget` drops what the work has kept of an earlier answer in a cell.
 */
export async function inCellThatKnows<Result>(
  start: Cell,
  isUnknown: (error: unknown) => boolean,
  work: () => Promise<Result>,
  forget: () => void = () => {},
): Promise<Result> {
  if (isOnlyCell()) return work();
  const first = await lookOnce(start, isUnknown, work);
  if ("result" in first) return first.result;
  if (first.isAway) throw first.error;
  // A merchant may have gone from a cell that was not asked yet to one that was: then it stays there for the second look.
  for (const cell of allCells()) inCell(cell, forget);
  const second = first.isMoving ? first : await lookOnce(start, isUnknown, work);
  if ("result" in second) return second.result;
  throw second.isMoving ? temporarilyUnavailable() : second.error;
}

type ReadFences = (cell: Cell) => Promise<readonly MerchantFence[]>;

/** The cell that has a merchant now. Throws service_unavailable while it moves. The work must not be in a cell yet. */
export function cellOfMerchant(start: Cell, merchantId: string): Promise<Cell> {
  return followMerchant(start, merchantId, (cell) => inCell(cell, listMerchantFencesAcrossMerchants));
}

/** The merchants that move to or from the running work's cell, or have left it. With one cell, none, and nothing is read. */
export async function listFences(): Promise<readonly MerchantFence[]> {
  return isOnlyCell() ? [] : listMerchantFencesAcrossMerchants();
}

const readFencesFromHere: ReadFences = (cell) => inOtherCell(cell, listMerchantFencesAcrossMerchants);

/** Where merchants went from a cell, and from there. */
interface Beyond {
  /** In the order in which they are reached. */
  readonly cells: readonly Cell[];
  /** By the name of each cell that was reached, with the first one. */
  readonly fences: ReadonlyMap<string, readonly MerchantFence[]>;
  /** The names of cells that this process does not know: it was started before they were added. */
  readonly unknown: readonly string[];
}

/**
 * Follows the fences from a cell to all that they lead to. `fencesIn` reads the fences of a cell; `alsoBeyond` names further cells
 * to which one leads whose fences could not be read.
 */
export async function cellsBeyond(
  start: Cell,
  fencesIn: ReadFences = readFencesFromHere,
  alsoBeyond: (cell: Cell) => readonly string[] = () => [],
): Promise<Beyond> {
  const reached = [start];
  const fences = new Map<string, readonly MerchantFence[]>();
  const unknown = new Set<string>();
  for (const cell of reached) {
    const there = await fencesIn(cell);
    fences.set(cell.name, there);
    for (const name of [...there.map(({ otherCell }) => otherCell), ...alsoBeyond(cell)]) {
      const other = cellNamed(name);
      if (!other) unknown.add(name);
      else if (!reached.includes(other)) reached.push(other);
    }
  }
  return { cells: reached.slice(1), fences, unknown: [...unknown] };
}

/**
 * The same for work in a cell that the merchant was in or moves to: the cell that has the merchant now, which may be another
 * one. Throws service_unavailable while it moves.
 */
export function presentCellOfMerchant(merchantId: string): Promise<Cell> {
  return followMerchant(currentCell(), merchantId, readFencesFromHere);
}

/**
 * Runs work about a merchant in the running work's cell, and if that says that the merchant has left it, in the cell that has
 * the merchant now. Throws what the work throws; service_unavailable while the merchant moves.
 */
export async function whereMerchantIs<Result>(merchantId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasMerchantLeft(error)) throw error;
    return inOtherCell(await presentCellOfMerchant(merchantId), work);
  }
}

const PAUSE_MS = 100;
/** A move closes its merchant for moments, and gives up after some seconds. */
const OPENS_WITHIN_MS = 10_000;

/**
 * The same for work that nobody waits for, such as recording what was sent: while the merchant moves, it is tried again, for ten
 * seconds.
 */
export async function whereMerchantOpens<Result>(merchantId: string, work: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + OPENS_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await whereMerchantIs(merchantId, work);
    } catch (error) {
      if (asServiceError(error)?.code !== "service_unavailable" || performance.now() > end) throw error;
    }
  }
}

async function followMerchant(start: Cell, merchantId: string, fencesIn: ReadFences): Promise<Cell> {
  if (isOnlyCell()) return start;
  const visited = new Set<string>();
  for (let cell = start; ; ) {
    if (visited.has(cell.name)) throw temporarilyUnavailable();
    visited.add(cell.name);
    const fence = (await fencesIn(cell)).find((one) => one.merchantId === merchantId);
    if (!fence || fence.state === "closing") return cell;
    const other = cellNamed(fence.otherCell);
    if (fence.state === "leaving" || !other) throw temporarilyUnavailable();
    cell = other;
  }
}

/** The merchants that have moved and are open in the running work's cell now. */
async function readOpenHere(): Promise<ReadonlySet<string>> {
  const presences = await readPresencesAcrossMerchants(await listMovedMerchantsAcrossMerchants());
  const open = presences.filter(({ isResident, state }) => isResident && state !== "leaving");
  return new Set(open.map(({ merchantId }) => merchantId));
}

/**
 * Returns a function that says whether a merchant that was in a cell once is in the running work's cell now. It reads the
 * fences of each cell once, and only if this cell cannot tell. A merchant that is not open here, of a cell that does not answer, is
 * not here; one that moves, or may be in a cell that this process does not know, throws service_unavailable.
 */
export function whoIsHere(): (formerCell: string, merchantId: string) => Promise<boolean> {
  const read = new Map<string, ReturnType<ReadFences>>();
  const fencesIn: ReadFences = (cell) => {
    const fences = read.get(cell.name) ?? readFencesFromHere(cell);
    read.set(cell.name, fences);
    return fences;
  };
  const here = currentCell();
  let openHere: ReturnType<typeof readOpenHere> | null = null;
  return async (formerCell, merchantId) => {
    const start = cellNamed(formerCell);
    if (!start) throw temporarilyUnavailable();
    if (start.name === here.name) {
      const fence = (await fencesIn(here)).find((one) => one.merchantId === merchantId);
      if (fence?.state === "leaving") throw temporarilyUnavailable();
      if (fence && isInUnknownCell(fence)) throw temporarilyUnavailable();
      return !fence || fence.state === "closing";
    }
    openHere ??= readOpenHere();
    if ((await openHere).has(merchantId)) return true;
    const isAway = await fencesIn(start).then(
      () => false,
      () => true,
    );
    return !isAway && (await followMerchant(start, merchantId, fencesIn)).name === here.name;
  };
}
