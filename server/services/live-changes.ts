// Telling that something of a merchant's has changed, within a second, whichever process changed it.
import { setTimeout as pause } from "node:timers/promises";
import { newestEntriesMark } from "@/server/db/audit/log";

/**
 * Asked rather than notified: a NOTIFY would have every commit take one lock of the whole database, and each transition
 * writes an audit entry anyway.
 */
const ASK_EVERY_MS = 1_000;

/** Yields at the beginning and after each change; ends when `signal` aborts. Rejects when the database cannot be asked. */
export async function* liveChanges(merchantId: string, signal: AbortSignal): AsyncGenerator<"changed"> {
  for (let told: string | null = null; !signal.aborted; ) {
    const mark = await newestEntriesMark(merchantId);
    if (mark !== told) yield "changed";
    told = mark;
    await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
