// Owns a cache whose entries live under a second: it saves a read per request and never hides a change for longer.

const LIFETIME_MS = 900;
const MAXIMUM_ENTRIES = 10_000;

export interface ShortCache<Value> {
  /** The cached value, or what `load` gives; simultaneous loads of one key are one load, and a failed one is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  forget(key: string): void;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly loadedAt: number;
}

const shared = globalThis as typeof globalThis & { sluiceCaches?: Map<string, Map<string, Entry<unknown>>> };

/** The process-wide cache of a name; both module graphs of the process (the host's and Next's) see the same one. */
export function createShortCache<Value>(name: string): ShortCache<Value> {
  shared.sluiceCaches ??= new Map();
  const entries = (shared.sluiceCaches.get(name) ?? new Map<string, Entry<unknown>>()) as Map<string, Entry<Value>>;
  shared.sluiceCaches.set(name, entries as Map<string, Entry<unknown>>);

  return {
    get(key, load) {
      const known = entries.get(key);
      const now = performance.now();
      if (known && now - known.loadedAt < LIFETIME_MS) return known.value;
      if (entries.size >= MAXIMUM_ENTRIES) entries.clear();
      const entry: Entry<Value> = { value: load(), loadedAt: now };
      entries.set(key, entry);
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry.value;
    },
    forget(key) {
      entries.delete(key);
    },
  };
}
