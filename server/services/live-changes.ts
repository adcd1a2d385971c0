// Reports changes of a merchant within a second, whichever process made them.
import { setTimeout as pause } from "node:timers/promises";
import { newestEntriesMark } from "@/server/db/audit/log";

/**
 * Polls instead of using NOTIFY, which makes every commit take one database-wide lock; each transition writes an audit
 * entry anyway.
 */
const ASK_EVERY_MS = 1_000;

/** Yields at the start and after each change; ends when `signal` aborts. Rejects if the database is unreachable. */
export async function* liveChanges(merchantId: string, signal: AbortSignal): AsyncGenerator<"changed"> {
  for (let told: string | null = null; !signal.aborted; ) {
    const mark = await newestEntriesMark(merchantId);
    if (mark !== told) yield "changed";
    told = mark;
    await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
