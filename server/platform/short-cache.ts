// A cache whose entries live less than a second: it saves a read per request and never hides a change for longer. Each cell
// has its own entries.
import { LRUCache } from "lru-cache";
import { currentCell, perCell } from "./cell";
import { FIRST_CELL } from "./cells-setting";
import { notAsReport } from "./report-scope";

const LIFETIME_MS = 900;

const SETTINGS: LRUCache.Options<string, Promise<unknown>, unknown> = {
  max: 10_000,
  ttl: LIFETIME_MS,
  ttlResolution: 0,
  // By default lru-cache uses the clock found at import; a test replaces the clock later.
  perf: { now: () => performance.now() },
};

export interface ShortCache<Value> {
  /**
   * Returns the cached value, or the result of `load`. Concurrent loads of one key are one load, and a failed load is
   * not cached. The lifetime counts from the start of the load, because that is how old the value may be.
   */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Caches a value that was read from `startedAt` on, a `performance.now()` in ms, unless a newer one is there. */
  put(key: string, value: Value, startedAt: number): void;
  forget(key: string): void;
}

type Entries<Value> = LRUCache<string, Promise<Value>>;

const shared = globalThis as typeof globalThis & { sluiceCaches?: Map<string, Entries<unknown>> };

/** One map of all caches, so that tests and commands can clear them. */
function entriesOf<Value>(name: string): Entries<Value> {
  const caches = (shared.sluiceCaches ??= new Map<string, Entries<unknown>>());
  const entries = (caches.get(name) ?? new LRUCache(SETTINGS)) as Entries<Value>;
  caches.set(name, entries as Entries<unknown>);
  return entries;
}

/** Returns the process-wide cache of a name, shared by both module graphs of the process (the host's and Next's). */
export function createShortCache<Value>(name: string): ShortCache<Value> {
  const entriesOfCell = perCell(() => {
    const cell = currentCell().name;
    return entriesOf<Value>(cell === FIRST_CELL ? name : `${name}/${cell}`);
  });

  return {
    get(key, load) {
      const entries = entriesOfCell();
      const known = entries.get(key);
      if (known) return known;
      const value = notAsReport(load);
      entries.set(key, value);
      value.catch(() => {
        if (entries.peek(key) === value) entries.delete(key);
      });
      return value;
    },
    put(key, value, startedAt) {
      const entries = entriesOfCell();
      const leftMs = LIFETIME_MS - (performance.now() - startedAt);
      if (leftMs > entries.getRemainingTTL(key)) entries.set(key, Promise.resolve(value), { start: startedAt });
    },
    forget(key) {
      entriesOfCell().delete(key);
    },
  };
}
