// Bounds what runs at once for one session, and for all sessions of a process.
import { ServiceError } from "@/server/domain/errors";

const RETRY_AFTER_SECONDS = 5;

interface PlaceSettings {
  readonly perSession: number;
  readonly perProcess: number;
  /** The error text for a caller who finds no place. */
  readonly refusal: string;
}

export interface SessionPlaces {
  /** Throws rate_limited if the session, or the process, has no free place. */
  requireFree(sessionId: string): void;
  /** Takes a place; the returned function gives it back, once. */
  take(sessionId: string): () => void;
}

/** Returns places of which none is taken. */
export function createSessionPlaces({ perSession, perProcess, refusal }: PlaceSettings): SessionPlaces {
  const taken = new Map<string, number>();
  let all = 0;

  function count(sessionId: string, change: 1 | -1): void {
    all += change;
    const own = (taken.get(sessionId) ?? 0) + change;
    if (own === 0) taken.delete(sessionId);
    else taken.set(sessionId, own);
  }

  return {
    requireFree(sessionId) {
      if ((taken.get(sessionId) ?? 0) < perSession && all < perProcess) return;
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
