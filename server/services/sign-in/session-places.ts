// Bounds what runs at once for one session, and for all sessions of a cell in a process.
import { ServiceError } from "@/server/domain/errors";
import { tagOfId } from "@/server/platform/ids";

const RETRY_AFTER_SECONDS = 5;

interface PlaceSettings {
  readonly perSession: number;
  /** Of each cell: work of one that hangs holds its places for long. */
  readonly perCell: number;
  /** The error text for a caller who finds no place. */
  readonly refusal: string;
}

export interface SessionPlaces {
  /** Throws rate_limited if the session, or its cell in this process, has no free place. */
  requireFree(sessionId: string): void;
  /** Takes a place; the returned function gives it back, once. */
  take(sessionId: string): () => void;
}

/** Returns places of which none is taken. */
export function createSessionPlaces({ perSession, perCell, refusal }: PlaceSettings): SessionPlaces {
  /** By session, and by the tag of a cell. */
  const taken = new Map<string, number>();
  const all = new Map<string, number>();

  function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }

  function count(sessionId: string, change: 1 | -1): void {
    add(taken, sessionId, change);
    add(all, tagOfId(sessionId), change);
  }

  return {
    requireFree(sessionId) {
      const ofCell = all.get(tagOfId(sessionId)) ?? 0;
      if ((taken.get(sessionId) ?? 0) < perSession && ofCell < perCell) return;
      throw new ServiceError("rate_limited", refusal, RETRY_AFTER_SECONDS);
    },
    take(sessionId) {
      let isHeld = true;
      count(sessionId, 1);
      return () => {
        if (isHeld) count(sessionId, -1);
        isHeld = false;
      };
    },
  };
}
