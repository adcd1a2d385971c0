import { waitForOlderTransactions } from "@/server/db/moves/fences";
import type { Owner } from "@/server/db/moves/owner";

/**
 * Waits until each transaction of the cell has ended that is open now. Returns a sentence, without its full stop, about one
 * that does not end within that time, in ms; else null.
 */
export async function findOlderTransaction(owner: Owner, withinMs: number): Promise<string | null> {
  const [first] = await waitForOlderTransactions(owner, withinMs);
  return first ? `${first.name} did not end within ${withinMs / 1_000} s in ${owner.cell.name}` : null;
}
