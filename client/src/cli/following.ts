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
 * Reads, and while the service does not answer, tries again at least every five seconds. Returns null once the terminal's
 * signal is aborted. Throws every other failure.
 */
export async function outlast<Result>(
  { signal, say }: Pick<Terminal, "signal" | "say">,
  read: () => Promise<Result>,
): Promise<Result | null> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const result = await read();
      if (failures > 0) say("The service answers again.");
      return result;
    } catch (error) {
      if (signal.aborted) return null;
      if (!passes(error)) throw error;
      if (failures === 0) say(`The service does not answer: ${(error as Error).message}. Trying again.`);
      failures += 1;
    }
    await sleep(growingPause(failures), signal).catch(() => {});
  }
  return null;
}

/**
 * Yields what is new in a list, the oldest first, until the terminal's signal. Outlasts a service that does not answer. Throws
 * every other failure.
 */
export async function* follow<Item extends { readonly id: string }>(
  terminal: Pick<Terminal, "signal" | "say">,
  { follower, read, onReady }: Following<Item>,
): AsyncGenerator<Item, void> {
  const { signal } = terminal;
  for (let isReady = false; !signal.aborted; isReady = true) {
    const list = await outlast(terminal, async () => {
      const readAt = performance.now();
      return { readAt, items: await read(follower.since()) };
    });
    if (list === null) return;
    const fresh = follower.take(list.items, list.readAt);
    if (!isReady) onReady();
    for (const item of fresh) {
      if (signal.aborted) return;
      yield item;
    }
    await sleep(POLL_MS, signal).catch(() => {});
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
