// Work over all merchants of the cells passes over those that move meanwhile, and those in a cell that this process does not know.
import { listMerchantFencesAcrossMerchants } from "@/server/db/merchant-fences";
import { listMovesAcrossMerchants } from "@/server/db/moves/record";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { isInUnknownCell } from "./between";

/** Open ones come first; one is enough to keep the old secrets. */
const MOVES = 100;
const CLOCKS_DIFFER_BY_MS = 60_000;

/**
 * Runs the work, and returns with its result the ids of merchants that it may have passed over: those that move, or have since this
 * command began, and those in a cell that this process does not know.
 */
export async function withMoving<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly moving: readonly string[] }> {
  // A move may begin or end during the work.
  const before = await listMoving();
  const result = await work();
  return { result, moving: [...new Set([...before, ...(await listMoving())])] };
}

/**
 * A merchant may also have come from a cell that is worked on later to one where the work was done before. Its fences do not show that
 * any more, and its record does.
 */
async function listMoving(): Promise<string[]> {
  const fences = await listMerchantFencesAcrossMerchants();
  const elsewhere = await listMerchantsInUnknownCells();
  const moves = allCells().length === 1 ? [] : await inOtherCell(allCells()[0], () => listMovesAcrossMerchants(MOVES));
  const since = Date.now() - process.uptime() * 1_000 - CLOCKS_DIFFER_BY_MS;
  return [
    ...elsewhere,
    ...fences.filter(({ state }) => state !== "left").map(({ merchantId }) => merchantId),
    ...moves.filter(({ endedAt }) => endedAt === null || endedAt.getTime() > since).map(({ merchantId }) => merchantId),
  ];
}

/** The result of a command without a cell that is away names that one. */
async function listMerchantsInUnknownCells(): Promise<string[]> {
  const read = (cell: Cell) => inOtherCell(cell, listMerchantFencesAcrossMerchants).catch(() => []);
  const fences = (await Promise.all(allCells().map(read))).flat();
  return fences.filter(isInUnknownCell).map(({ merchantId }) => merchantId);
}
