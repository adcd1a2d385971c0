// Reports changes of a merchant in about a second, whichever process made them.
import { setTimeout as pause } from "node:timers/promises";
import { newestEntriesMark } from "@/server/db/audit/log";
import { ServiceError } from "@/server/domain/errors";
import { withinMerchant } from "@/server/platform/reach";
import { createShortCache } from "@/server/platform/short-cache";

const STREAMS_PER_SESSION = 10;
const STREAMS_PER_PROCESS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/** One read per merchant and 0.9 s serves all streams of the process. */
const marks = createShortCache<string | null>("live-changes");
const openStreams = new Map<string, number>();
let openInProcess = 0;

/**
 * Polls instead of using NOTIFY, which makes every commit take one database-wide lock; each transition writes an audit
 * entry anyway. Most polls are answered by the cache.
 */
const ASK_EVERY_MS = 250;

function count(sessionId: string, change: 1 | -1): void {
  openInProcess += change;
  const open = (openStreams.get(sessionId) ?? 0) + change;
  if (open === 0) openStreams.delete(sessionId);
  else openStreams.set(sessionId, open);
}

/** Throws rate_limited if the session, or this process, has as many streams as it may have. */
export function requireFreeStream(sessionId: string): void {
  if ((openStreams.get(sessionId) ?? 0) < STREAMS_PER_SESSION && openInProcess < STREAMS_PER_PROCESS) return;
  throw new ServiceError("rate_limited", "Too many streams are open; close other tabs.", RETRY_AFTER_SECONDS);
}

interface Listener {
  readonly merchantId: string;
  readonly sessionId: string;
}

/**
 * Yields at the start and after each change; ends when `signal` aborts. Counts as a stream of the session meanwhile.
 * Rejects if the database is unreachable.
 */
export async function* liveChanges(
  { merchantId, sessionId }: Listener,
  signal: AbortSignal,
): AsyncGenerator<"changed"> {
  count(sessionId, 1);
  try {
    for (let told: string | null = null; !signal.aborted; ) {
      const mark = await marks.get(merchantId, () => withinMerchant(merchantId, () => newestEntriesMark(merchantId)));
      if (mark !== told) yield "changed";
      told = mark;
      await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    count(sessionId, -1);
  }
}
