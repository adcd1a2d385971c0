// Remembers which holds of keys belong to executions of this process that failed on our side without an answer.
import { LRUCache } from "lru-cache";

const holders = new LRUCache<string, true>({ max: 10_000 });

/** Notes that the execution with this hold has ended. A commit of it may still arrive when the database is back. */
export function noteAbandoned(holder: string): void {
  holders.set(holder, true);
}

/** True where the next retry may take the key over at once, whatever its lease says (interface §8, failed original). */
export function wasAbandonedHere(holder: string): boolean {
  return holders.has(holder);
}
