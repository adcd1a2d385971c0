// Finds what is new in a list that is read again and again: each item once, also one that is committed late.

/** An item that is committed within this time after the instant it bears is found. */
export const LATE_MS = 30_000;

interface Item {
  readonly id: string;
}

/** A place in the order of a list: the item's time in milliseconds, then its id. */
export interface Place {
  readonly time: number;
  readonly id: string;
}

/** Negative if the first place comes before the other one. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.time !== other.time) return one.time - other.time;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

/**
 * Remembers what was seen. Times of items are compared with each other only: the test clock of a merchant may be ahead of
 * every other clock, and jump. Times of reads are milliseconds of a monotonic clock.
 */
export class Follower<Listed extends Item> {
  readonly #timeOf: (item: Listed) => number;
  readonly #after: Place | null;
  readonly #seen = new Map<string, number>();
  /** The newest time that was known after each read that brought a newer one. */
  readonly #known: { readonly at: number; readonly newest: number }[] = [];

  /** `after` is where to begin: what is at that place or before it was handled earlier. */
  constructor(timeOf: (item: Listed) => number, after: Place | null = null) {
    this.#timeOf = timeOf;
    this.#after = after;
  }

  /** The time since which to read the list; null for all of it. */
  since(): Date | null {
    const newest = this.#known[0]?.newest ?? this.#after?.time ?? Number.NEGATIVE_INFINITY;
    return newest === Number.NEGATIVE_INFINITY ? null : new Date(Math.max(0, newest - LATE_MS));
  }

  /**
   * Takes what was read since then, in any order, and returns what is new, the oldest first. `readAt` is when the read began.
   * What it missed bears an instant of its last 30 seconds, or a later one: however long the next read takes to come, it
   * begins with the newest time that was known then.
   */
  take(items: readonly Listed[], readAt: number): Listed[] {
    const placed = items.map((item) => ({ item, id: item.id, time: this.#timeOf(item) }));
    const fresh = placed.filter(
      (one) => !this.#seen.has(one.id) && !(this.#after && comparePlaces(one, this.#after) <= 0),
    );
    for (const { id, time } of placed) this.#seen.set(id, time);
    const before = this.#known.at(-1)?.newest ?? this.#after?.time ?? Number.NEGATIVE_INFINITY;
    const newest = placed.reduce((latest, { time }) => Math.max(latest, time), before);
    if (newest !== before || this.#known.length === 0) this.#known.push({ at: readAt, newest });
    while (this.#known[1] && this.#known[1].at <= readAt - LATE_MS) this.#known.shift();
    const since = this.since()?.getTime() ?? Number.NEGATIVE_INFINITY;
    for (const [id, time] of this.#seen) if (time < since) this.#seen.delete(id);
    return fresh.sort(comparePlaces).map(({ item }) => item);
  }
}
