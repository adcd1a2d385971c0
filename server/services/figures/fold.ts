// Keeping the figures: what has ended is added up after the commit, so that no request waits for it.
import { foldEnds, listUnfoldedAcrossMerchants } from "@/server/db/figures/fold";
import { log } from "@/server/platform/log";

/** Links that one statement goes through: a few ten milliseconds, and enough for a busy merchant. */
const BATCH = 2_000;

/**
 * Adds up to a batch of every merchant's new ends to its figures; returns how many merchants have perhaps more. Any number
 * of workers may run it at once: an end is counted once.
 */
export async function foldFigures(batch = BATCH): Promise<number> {
  let behind = 0;
  for (const unfolded of await listUnfoldedAcrossMerchants(batch)) {
    try {
      await foldEnds(unfolded);
      behind += Number(unfolded.to - unfolded.after >= BigInt(batch));
    } catch (error) {
      // One merchant's rows that cannot be added up must not stop the others' figures.
      log().error({ err: error, merchantId: unfolded.merchantId }, "figures were not added up");
    }
  }
  return behind;
}
