// Reads a list from an earlier time on in windows of time, so that a long one does not have to fit into memory. The service
// lists the newest first; we need the oldest first.
import { comparePlaces, LATE_MS, type Place } from "./follower.js";
import { outlast } from "./following.js";
import type { Terminal } from "./terminal.js";

/** The most items of a window, unless they all have the same time. */
const MOST_ITEMS = 1_000;
const FIRST_SPAN_MS = 60 * 60 * 1_000;
/** What is left for the follower, which reads it at once. */
const LEFT_MS = 2 * LATE_MS;
/** Sorts after every id. */
const AFTER_ALL_IDS = "\u{10ffff}";

/** Times in milliseconds; `until` is not part of it. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

export interface Earlier<Item extends { readonly id: string }> {
  readonly timeOf: (item: Item) => number;
  /** Reads the newest item; null if there is none. */
  readonly readNewest: () => Promise<Item | null>;
  /** Reads a window in any order; null if it has more than `most` items. */
  readonly readWindow: (window: Window, most: number) => Promise<Item[] | null>;
}

/**
 * Yields what comes after a place, the oldest first, except about the last minute, in which items may still be committed
 * late. Returns the place after which a follower continues. Outlasts a service that does not answer.
 */
export async function* catchUp<Item extends { readonly id: string }>(
  terminal: Pick<Terminal, "signal" | "say">,
  { timeOf, readNewest, readWindow }: Earlier<Item>,
  begin: Place,
): AsyncGenerator<Item, Place> {
  let after = begin;
  while (!terminal.signal.aborted) {
    const newest = await outlast(terminal, readNewest);
    if (newest === null || timeOf(newest) - LATE_MS - after.time < LEFT_MS) return after;
    const end = { time: timeOf(newest) - LATE_MS, id: AFTER_ALL_IDS };
    const windows = readWindows(
      async (window, most) => {
        const read = await outlast(terminal, async () => ({ items: await readWindow(window, most) }));
        return read === null ? [] : read.items;
      },
      { from: after.time, until: end.time + 1 },
    );
    for await (const items of windows) {
      const placed = items.map((item) => ({ item, id: item.id, time: timeOf(item) }));
      const ahead = placed.filter((one) => comparePlaces(one, after) > 0).sort(comparePlaces);
      for (const { item, id, time } of ahead) {
        if (terminal.signal.aborted) return after;
        yield item;
        after = { time, id };
      }
    }
    if (!terminal.signal.aborted) after = end;
  }
  return after;
}

/** Yields the items of a window in parts, the earliest first, each in any order. */
async function* readWindows<Item>(
  read: Earlier<Item & { readonly id: string }>["readWindow"],
  { from: begin, until: end }: Window,
): AsyncGenerator<Item[], void> {
  let span = FIRST_SPAN_MS;
  for (let from = begin; from < end; ) {
    const until = Math.min(from + span, end);
    // A millisecond cannot be divided.
    const items = await read({ from, until }, until - from <= 1 ? Number.POSITIVE_INFINITY : MOST_ITEMS);
    if (items === null) {
      span = Math.max(1, Math.floor((until - from) / 2));
      continue;
    }
    yield items;
    from = until;
    if (items.length < MOST_ITEMS / 4) span *= 2;
  }
}
