// Adds finished intents to the figures after their commit.
import { foldEnds } from "@/server/db/figures/fold";
import { followChains } from "../audit/follow-chains";

/** Links per statement: takes tens of milliseconds, and suffices for a busy merchant. */
const BATCH = 2_000;

/**
 * Adds up to one batch of every merchant's newly finished intents to its figures; returns the number of merchants that
 * may have more. Safe for concurrent workers: each finished intent is counted once.
 */
export function foldFigures(batch = BATCH): Promise<number> {
  return followChains({ marks: "figure_mark", work: foldEnds, complaint: "the worker could not fold figures" }, batch);
}
