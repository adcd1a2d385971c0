// Remembers which key leases belong to executions of this process that failed on our side without an answer.
import { LRUCache } from "lru-cache";

const holders = new LRUCache<string, true>({ max: 10_000 });

/** Notes that the execution of this holder has ended. Its commit may still arrive when the database is back. */
export function noteAbandoned(holder: string): void {
  holders.set(holder, true);
}

/** Returns true if the next retry may take over the key before its lease ends (interface §8, failed original). */
export function wasAbandonedHere(holder: string): boolean {
  return holders.has(holder);
}
