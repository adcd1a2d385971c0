import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { allCells, inOtherCell } from "@/server/platform/cell";
import { temporarilyUnavailable } from "../outage";

const ARRIVES: readonly MerchantFence["state"][] = ["arriving", "ready"];
const LEAVES: readonly MerchantFence["state"][] = ["closing", "leaving"];

/**
 * True while a merchant moves: it closes in its old cell, or has left it and is not open in the new one yet; also if one is lost.
 * `fences` are those of each cell, by the cell's name. What such a merchant has is found in no cell.
 */
export function isAnyBetween(fences: ReadonlyMap<string, readonly MerchantFence[]>): boolean {
  // The cells are not read at one moment: it may have been arriving there when it had not left yet.
  const arrivesFrom = (cell: string, other: string, merchantId: string) =>
    fences
      .get(other)
      ?.some((one) => one.merchantId === merchantId && ARRIVES.includes(one.state) && one.otherCell === cell) ?? false;
  return [...fences].some(([cell, there]) =>
    there.some(
      ({ merchantId, state, otherCell, isLost }) =>
        isLost || LEAVES.includes(state) || (state === "left" && arrivesFrom(cell, otherCell, merchantId)),
    ),
  );
}

/** True if the merchant has left the fence's cell for one that this process does not know. */
export function isInUnknownCell({ state, otherCell }: MerchantFence): boolean {
  return state === "left" && !allCells().some(({ name }) => name === otherCell);
}

/** The same for any of their merchants. */
export function isAnyInUnknownCell(fences: ReadonlyMap<string, readonly MerchantFence[]>): boolean {
  return [...fences.values()].flat().some(isInUnknownCell);
}

/** The merchants that leave a cell or have left it, as text. Two texts that differ show that one has begun to leave. */
export const departuresOf = (fences: readonly MerchantFence[]): string =>
  fences
    .filter(({ state }) => state === "left" || LEAVES.includes(state))
    .map(({ merchantId, state, otherCell }) => `${merchantId} ${state} ${otherCell}`)
    .sort()
    .join();

/**
 * Requires that no merchant was between cells while all of them were asked, one after the other. `fences` are those of each cell at the
 * moment at which it was asked. Throws service_unavailable, also if a merchant is in a cell that this process does not know.
 */
export async function requireNobodyMoved(fences: ReadonlyMap<string, readonly MerchantFence[]>): Promise<void> {
  if (isAnyBetween(fences) || isAnyInUnknownCell(fences)) throw temporarilyUnavailable();
  if (fences.size === 1) return;
  for (const cell of allCells()) {
    const now = await inOtherCell(cell, listMerchantFencesAcrossMerchants);
    if (departuresOf(now) !== departuresOf(fences.get(cell.name) ?? [])) throw temporarilyUnavailable();
  }
}
