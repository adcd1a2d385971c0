// Adds finished intents to the figures after their commit, so that no request waits.
import { foldEnds, listUnfoldedAcrossMerchants } from "@/server/db/figures/fold";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";

/** Links per statement: takes tens of milliseconds, and suffices for a busy merchant. */
const BATCH = 2_000;

/**
 * Adds up to one batch of every merchant's newly finished intents to its figures; returns the number of merchants that
 * may have more. Safe for concurrent workers: each finished intent is counted once.
 */
export async function foldFigures(batch = BATCH): Promise<number> {
  let behind = 0;
  for (const unfolded of await listUnfoldedAcrossMerchants(batch)) {
    try {
      await withinMerchant(unfolded.merchantId, () => foldEnds(unfolded));
      behind += Number(unfolded.to - unfolded.after >= BigInt(batch));
    } catch (error) {
      // A merchant whose rows cannot be added up must not block other merchants' figures.
      log().error({ err: error, merchantId: unfolded.merchantId }, "the worker could not fold figures");
    }
  }
  return behind;
}
