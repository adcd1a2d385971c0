import { liftAbandonedFencesAcrossMerchants } from "@/server/db/merchant-fences";
import { allCells } from "@/server/platform/cell";
import { log } from "@/server/platform/log";

/**
 * Opens merchants of the cell again whose move was killed during its pause; `merchants move` goes on with it later. Returns 0:
 * nothing more is due at once. With one cell, nothing is read.
 */
export async function liftAbandonedFences(): Promise<number> {
  if (allCells().length === 1) return 0;
  const lifted = await liftAbandonedFencesAcrossMerchants();
  if (lifted > 0) log().warn({ merchants: lifted }, "a merchant is open again whose move was killed: run it again");
  return 0;
}
