// Schedules claimed deliveries fairly: one lane per endpoint, all taking turns, slow ones outside the shared budget.

/** Sends under way to one endpoint; one that has just failed to answer well gets one. */
const CONCURRENCY = 4;
/** A send takes part in the shared budget for this long; then it waits on its own, and its place is another's. */
const FRESH_MS = 1_000;
const FRESH_LIMIT = 128;
/** All sends under way, those that hang included. */
const TOTAL_LIMIT = 1_024;
/** No lane is given more than it works off in about this time, nor more than this. */
const BACKLOG_MS = 1_000;
const LONGEST_LINE = 200;
/** Lanes beyond this are forgotten once nothing goes on in them. */
const REMEMBERED = 5_000;
/** Weight of the newest duration in the running mean. */
const SMOOTHING = 0.2;

interface Lane<Item> {
  readonly key: string;
  readonly line: Item[];
  underWay: number;
  /** Running mean of how long a send takes, in ms; null before the first. */
  meanMs: number | null;
  isSuspect: boolean;
  isReady: boolean;
}

/** How a send went, as far as the lane is concerned. */
export interface Sending {
  readonly durationMs: number;
  readonly isWell: boolean;
}

export interface FairScheduler<Item> {
  /** Puts an item at the end of its lane. */
  add(key: string, item: Item): void;
  /** How many more items each lane takes that is not as new; a new one takes `newcomerRoom`. */
  rooms(): Record<string, number>;
  /** Items that wait for their turn are taken out; returns them. */
  clear(): Item[];
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
}

export const NEW_ENDPOINT_LIMIT = CONCURRENCY;

/** A scheduler that sends its items by `send`, which never rejects. */
export function createFairScheduler<Item>(send: (item: Item) => Promise<Sending>): FairScheduler<Item> {
  const lanes = new Map<string, Lane<Item>>();
  const ready: Lane<Item>[] = [];
  const waiters: (() => void)[] = [];
  let fresh = 0;
  let total = 0;

  const concurrencyOf = (lane: Lane<Item>) => (lane.isSuspect ? 1 : CONCURRENCY);

  function makeReady(lane: Lane<Item>): void {
    if (lane.isReady || lane.line.length === 0 || lane.underWay >= concurrencyOf(lane)) return;
    lane.isReady = true;
    ready.push(lane);
  }

  function startNext(): void {
    while (fresh < FRESH_LIMIT && total < TOTAL_LIMIT) {
      const lane = ready.shift();
      if (!lane) return;
      lane.isReady = false;
      const item = lane.line.shift();
      if (item !== undefined) void start(lane, item);
      makeReady(lane);
    }
  }

  async function start(lane: Lane<Item>, item: Item): Promise<void> {
    lane.underWay += 1;
    fresh += 1;
    total += 1;
    let isFresh = true;
    const age = () => {
      if (isFresh) fresh -= 1;
      isFresh = false;
    };
    const timer = setTimeout(() => {
      age();
      startNext();
    }, FRESH_MS);
    const { durationMs, isWell } = await send(item);
    clearTimeout(timer);
    age();
    total -= 1;
    lane.underWay -= 1;
    lane.isSuspect = !isWell;
    lane.meanMs = lane.meanMs === null ? durationMs : lane.meanMs + SMOOTHING * (durationMs - lane.meanMs);
    makeReady(lane);
    startNext();
    if (total === 0) for (const resolve of waiters.splice(0)) resolve();
  }

  function roomOf(lane: Lane<Item>): number {
    const concurrency = concurrencyOf(lane);
    const perSecond = lane.meanMs === null ? concurrency : (concurrency * BACKLOG_MS) / Math.max(1, lane.meanMs);
    const longest = Math.min(LONGEST_LINE, Math.max(concurrency, Math.floor(perSecond)));
    return Math.max(0, longest - lane.line.length - lane.underWay);
  }

  function forgetIdle(): void {
    for (const [key, lane] of lanes) if (lane.underWay === 0 && lane.line.length === 0) lanes.delete(key);
  }

  return {
    add(key, item) {
      let lane = lanes.get(key);
      if (!lane) {
        lane = { key, line: [], underWay: 0, meanMs: null, isSuspect: false, isReady: false };
        lanes.set(key, lane);
      }
      lane.line.push(item);
      makeReady(lane);
      startNext();
    },

    rooms() {
      if (lanes.size > REMEMBERED) forgetIdle();
      return Object.fromEntries([...lanes.values()].map((lane) => [lane.key, roomOf(lane)]));
    },

    clear() {
      return [...lanes.values()].flatMap((lane) => lane.line.splice(0));
    },

    idle() {
      return total === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiters.push(resolve));
    },
  };
}
