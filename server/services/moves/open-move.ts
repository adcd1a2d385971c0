// Whether a merchant may have rows in another cell that it is not served from.
import { isMovingAcrossMerchants } from "@/server/db/moves/record";
import { validationError } from "@/server/domain/errors";
import { allCells, inOtherCell } from "@/server/platform/cell";

/** Throws validation_failed while a move of the merchant is open: until it is done or aborted, both cells may have its rows. */
export async function requireNoOpenMove(merchantId: string): Promise<void> {
  if (allCells().length === 1) return;
  if (!(await inOtherCell(allCells()[0], () => isMovingAcrossMerchants(merchantId)))) return;
  throw validationError("the merchant", "is in two cells: finish its move, or abort it, and repeat this command");
}
