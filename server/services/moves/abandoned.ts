import { readPauses } from "@/server/db/dispatch-pauses";
import {
  liftAbandonedFencesAcrossMerchants,
  listMerchantFencesAcrossMerchants,
  type MerchantFence,
} from "@/server/db/merchant-fences";
import { isOnlyCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { settleStays } from "../cells/settle-stays";

/** Fences of which the move must make something else, at once. */
const UNDECIDED: readonly MerchantFence["state"][] = ["ready", "closing", "leaving"];

/**
 * Settles the merchants of the cell whose move was killed, `merchants move` goes on with it later: who has left opens in the new
 * cell, who has not opens again in the old one. Other cells are asked only if the cell has such a merchant. Returns 0: nothing more
 * is due at once. With one cell, nothing is read.
 */
export async function settleAbandonedMoves(): Promise<number> {
  if (isOnlyCell()) return 0;
  const fences = await listMerchantFencesAcrossMerchants();
  if (!fences.some(({ state }) => UNDECIDED.includes(state))) return 0;
  const absent = await settleStays();
  // A cell that was restored or failed over may lack that a merchant has left: only the other cell has that.
  if (absent.length > 0 && (await readPauses()).isRestored) return 0;
  const lifted = await liftAbandonedFencesAcrossMerchants();
  if (lifted > 0) log().warn({ merchants: lifted }, "a merchant is open again whose move was killed: run it again");
  return 0;
}
