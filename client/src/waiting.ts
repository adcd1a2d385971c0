// Waiting for an outcome, as the interface recommends: pauses of 500 ms, doubled up to 5 s, for about 60 s in all.
import { OutcomePendingError } from "./errors.js";
import { growingPause, sleep } from "./retries.js";
import type { ReadOptions } from "./transport.js";

export interface WaitOptions<Intent> extends ReadOptions {
  /** What to wait for; by default a final status. */
  readonly until?: (intent: Intent) => boolean;
  /** Milliseconds; 60,000 by default. */
  readonly withinMs?: number;
}

/** Reads an intent until it is as asked. Throws OutcomePendingError with the intent if it is not in time. */
export async function waitFor<Intent extends { readonly id: string }>(
  read: () => Promise<Intent>,
  isFinal: (intent: Intent) => boolean,
  { until = isFinal, withinMs = 60_000, signal }: WaitOptions<Intent> = {},
): Promise<Intent> {
  const end = Date.now() + withinMs;
  for (let reads = 0; ; reads += 1) {
    const intent = await read();
    if (until(intent)) return intent;
    const leftMs = end - Date.now();
    if (leftMs <= 0) throw new OutcomePendingError(intent.id, intent);
    await sleep(Math.min(growingPause(reads), leftMs), signal);
  }
}
