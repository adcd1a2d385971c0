import { removeEndedTriggersAcrossMerchants } from "@/server/db/merchant-fences";
import { isOnlyCell } from "@/server/platform/cell";

/**
 * Removes triggers that moves have left in the cell because their tables were in use. Returns 0: what is still in use waits for
 * the next round. With one cell, nothing is read.
 */
export async function removeLeftTriggers(): Promise<number> {
  if (isOnlyCell()) return 0;
  for (let remaining = Number.POSITIVE_INFINITY; ; ) {
    const left = await removeEndedTriggersAcrossMerchants();
    if (left === 0 || left >= remaining) return 0;
    remaining = left;
  }
}
