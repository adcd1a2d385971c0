// Fills the search table with new intents after their commit.
import { fillTerms } from "@/server/db/search/fill";
import { followChains } from "../audit/follow-chains";

/** Links per statement: takes tens of milliseconds, and suffices for a busy merchant. */
const BATCH = 1_000;

/**
 * Fills up to one batch of every merchant's audit links; returns the number of merchants that may have more. Safe for
 * concurrent workers. A crash leaves the terms and the mark of a batch, or neither.
 */
export function fillSearch(batch = BATCH): Promise<number> {
  const complaint = "the worker could not fill the search table";
  return followChains({ marks: "search_mark", work: fillTerms, complaint }, batch);
}
