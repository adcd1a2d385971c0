// Reports changes of a merchant in about a second, whichever process made them.
import { setTimeout as pause } from "node:timers/promises";
import { newestEntriesMark } from "@/server/db/audit/log";
import { createShortCache } from "@/server/platform/short-cache";
import { createSessionPlaces } from "./sign-in/session-places";
import { type SessionKey, withinSession } from "./sign-in/session-scope";

const places = createSessionPlaces({
  perSession: 10,
  perCell: 2_000,
  refusal: "Too many streams are open; close other tabs.",
});

/** One read per merchant and 0.9 s serves all streams of the process. */
const marks = createShortCache<string | null>("live-changes");

/**
 * Polls instead of using NOTIFY, which makes every commit take one database-wide lock; each transition writes an audit
 * entry anyway. Most polls are answered by the cache.
 */
const ASK_EVERY_MS = 250;

/** Throws rate_limited if the session, or this process, has as many streams as it may have. */
export const requireFreeStream = places.requireFree;

/**
 * Yields at the start and after each change; ends when `signal` aborts. Counts as a stream of the session meanwhile.
 * Rejects if the database is unreachable.
 */
export async function* liveChanges(session: SessionKey, signal: AbortSignal): AsyncGenerator<"changed"> {
  const { merchantId, sessionId } = session;
  // Whoever asks for the next change may be outside of the session's work.
  const ask = () => withinSession(session, () => marks.get(merchantId, () => newestEntriesMark(merchantId)));
  const giveBack = places.take(sessionId);
  try {
    for (let told: string | null = null; !signal.aborted; ) {
      const mark = await ask();
      if (mark !== told) yield "changed";
      told = mark;
      await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    giveBack();
  }
}
