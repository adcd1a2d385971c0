// Reads a list again and again, and outlasts a service that restarts.
import { SluiceError } from "../errors.js";
import { growingPause, sleep } from "../retries.js";
import type { Follower } from "./follower.js";
import type { Terminal } from "./terminal.js";

const POLL_MS = 1_000;

export interface Following<Item extends { readonly id: string }> {
  readonly follower: Follower<Item>;
  /** Reads the list since a time, or all of it. */
  readonly read: (since: Date | null) => Promise<Item[]>;
  /** Called once the list could be read for the first time. */
  readonly onReady: () => void;
}

/** True for a failure that a restarting or busy service causes. */
function passes(error: unknown): boolean {
  if (!(error instanceof SluiceError)) return false;
  return error.status === null || error.status === 429 || error.status >= 500 || error.code === "unexpected_answer";
}

/**
 * Yields what is new in a list, the oldest first, until the terminal's signal. While the service does not answer, it tries
 * again at least every five seconds. Throws every other failure.
 */
export async function* follow<Item extends { readonly id: string }>(
  { signal, say }: Pick<Terminal, "signal" | "say">,
  { follower, read, onReady }: Following<Item>,
): AsyncGenerator<Item, void> {
  let isReady = false;
  for (let failures = 0; !signal.aborted; ) {
    const readAt = performance.now();
    try {
      const items = await read(follower.since());
      if (failures > 0) say("The service answers again.");
      failures = 0;
      const fresh = follower.take(items, readAt);
      if (!isReady) onReady();
      isReady = true;
      for (const item of fresh) {
        if (signal.aborted) return;
        yield item;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!passes(error)) throw error;
      if (failures === 0) say(`The service does not answer: ${(error as Error).message}. Trying again.`);
      failures += 1;
    }
    await sleep(failures > 0 ? growingPause(failures) : POLL_MS, signal).catch(() => {});
  }
}

/** Marks what the list has as seen: its newest item, and all that the first poll will read with it. */
export async function skipEarlier<Item extends { readonly id: string }>(
  follower: Follower<Item>,
  newest: readonly Item[],
  read: Following<Item>["read"],
): Promise<void> {
  const readAt = performance.now();
  follower.take(newest, readAt);
  follower.take(await read(follower.since()), readAt);
}

/** Reads all pages of a list. */
export async function readAll<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
