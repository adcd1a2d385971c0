import type { MerchantFence } from "@/server/db/merchant-fences";
import { allCells } from "@/server/platform/cell";

/**
 * True while a merchant moves: it closes in its old cell, or has left it and is not open in the new one yet. `fences` are those of
 * each cell, by the cell's name. What such a merchant has is found in no cell.
 */
export function isAnyBetween(fences: ReadonlyMap<string, readonly MerchantFence[]>): boolean {
  const isReady = (cell: string, merchantId: string) =>
    fences.get(cell)?.some((fence) => fence.merchantId === merchantId && fence.state === "ready");
  return [...fences.values()]
    .flat()
    .some(
      ({ merchantId, state, otherCell }) =>
        state === "closing" || state === "leaving" || (state === "left" && isReady(otherCell, merchantId)),
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
