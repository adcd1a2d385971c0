// Counts attempts at addresses that belong to no member, in the memory of the process and within bounds.
import type { AttemptLimit } from "@/server/db/sign-in-counts";
import { now } from "@/server/platform/clock";

interface Count {
  attempts: number;
  /** When the count or the pause ends, in ms since 1970. */
  endsAt: number;
}

interface StrangerSettings {
  readonly attempts: number;
  readonly windowMs: number;
  /** Maximum number of keys. */
  readonly capacity: number;
}

/**
 * Limits attempts as the counts in Postgres do, for at most `capacity` keys. When it is full, the oldest key that is not
 * paused makes room; if all keys are paused, attempts at new keys are rejected.
 */
export function createStrangerLimit({ attempts, windowMs, capacity }: StrangerSettings): AttemptLimit {
  const counts = new Map<string, Count>();

  function hasRoom(at: number): boolean {
    if (counts.size < capacity) return true;
    for (const [key, count] of counts) {
      if (count.attempts >= attempts && count.endsAt > at) continue;
      counts.delete(key);
      return true;
    }
    return false;
  }

  function take(key: string): number | null {
    const at = now().getTime();
    const known = counts.get(key);
    if (known && known.endsAt > at) {
      if (known.attempts >= attempts) return null;
      known.attempts += 1;
      if (known.attempts === attempts) known.endsAt = at + windowMs;
      return known.attempts;
    }
    counts.delete(key);
    if (!hasRoom(at)) return null;
    counts.set(key, { attempts: 1, endsAt: at + windowMs });
    return 1;
  }

  return {
    take: async (key) => take(key),
    async giveBack(key) {
      const known = counts.get(key);
      if (known) known.attempts -= 1;
    },
    async clear(key) {
      counts.delete(key);
    },
  };
}
