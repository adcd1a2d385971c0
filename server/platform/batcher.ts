// The queue of group commit: while one batch runs, the next one gathers. There is no artificial delay.

export interface Batcher<Item, Result> {
  /**
   * Runs the item in the next batch. Rejects with the batch's error, with Overloaded if the item was never run, or with
   * OutcomeUnknown if its batch has not ended in time.
   */
  add(item: Item): Promise<Result>;
}

export interface BatcherOptions<Item, Result> {
  /** One result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * True for an error that one item may have caused and that had no effect: only then does the batch run again, in
   * halves. After any other error the outcome is unknown, and every item of the batch is rejected.
   */
  readonly isAttributable: (error: unknown) => boolean;
  /** Two items with the same key never share a batch; omitted if all may. */
  readonly exclusiveKey?: (item: Item) => string;
  readonly maximumSize: number;
  /** Maximum number of waiting items; further ones are rejected at once with Overloaded. Unlimited if omitted. */
  readonly maximumWaiting?: number;
  /** Every item resolves or rejects within this many ms; if omitted, an item waits for its batch. */
  readonly settlesWithinMs?: number;
}

/** The queue is full; the item was not executed. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/** The item's batch is still running: the outcome of the item is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** Concurrent retries of parts of failed batches. */
const LANES = 8;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  timer?: NodeJS.Timeout;
  isSettled: boolean;
}

/** Rejects the entry; no effect if it already resolved or rejected. */
function fail<Item, Result>(entry: Entry<Item, Result>, error: unknown): void {
  entry.isSettled = true;
  clearTimeout(entry.timer);
  entry.reject(error);
}

function succeed<Item, Result>(entry: Entry<Item, Result>, result: Result): void {
  entry.isSettled = true;
  clearTimeout(entry.timer);
  entry.resolve(result);
}

/**
 * Gathers items into batches. A batch that fails because of one item is halved until the bad item is alone,
 * concurrently with the next batches, so that its neighbors succeed.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  type Batch = readonly Entry<Item, Result>[];
  const { exclusiveKey, maximumSize, maximumWaiting = Number.POSITIVE_INFINITY, settlesWithinMs } = options;
  // An array: a set that items enter and leave all the time makes V8 keep each of them until the next full collection.
  let waiting: Entry<Item, Result>[] = [];
  let running = false;

  function takeBatch(): Batch {
    if (!exclusiveKey) return waiting.splice(0, maximumSize);
    const batch: Entry<Item, Result>[] = [];
    const left: Entry<Item, Result>[] = [];
    const keys = new Set<string>();
    for (const entry of waiting) {
      const key = exclusiveKey(entry.item);
      const isTaken = batch.length < maximumSize && !keys.has(key);
      if (isTaken) keys.add(key);
      (isTaken ? batch : left).push(entry);
    }
    waiting = left;
    return batch;
  }

  /**
   * Runs the open entries of the batch once; skips an entry that expired while its part waited. Returns the parts to
   * run again, none if every entry is done.
   */
  async function attempt(part: Batch): Promise<readonly Batch[]> {
    const batch = part.filter(({ isSettled }) => !isSettled);
    if (batch.length === 0) return [];
    try {
      const results = await options.run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => succeed(entry, results[index] as Result));
    } catch (error) {
      if (batch.length > 1 && options.isAttributable(error)) return halves(batch);
      for (const entry of batch) fail(entry, error);
    }
    return [];
  }

  /**
   * Runs parts concurrently with the loop, a few at a time: one that waits for a lock delays neither the next batch nor
   * other parts.
   */
  function runParts(parts: readonly Batch[]): void {
    const left = [...parts];
    let active = 0;
    const fill = (): void => {
      for (let part = left[0]; part && active < LANES; part = left[0]) {
        left.shift();
        active += 1;
        void attempt(part).then((further) => {
          active -= 1;
          left.push(...further);
          fill();
        });
      }
    };
    fill();
  }

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      runParts(await attempt(takeBatch()));
    }
    running = false;
  }

  function expire(entry: Entry<Item, Result>): void {
    const message = `no result within ${settlesWithinMs} ms`;
    const at = waiting.indexOf(entry);
    if (at !== -1) waiting.splice(at, 1);
    fail(entry, at === -1 ? new OutcomeUnknown(message) : new Overloaded(message));
  }

  return {
    add(item) {
      return new Promise<Result>((resolve, reject) => {
        if (waiting.length >= maximumWaiting) {
          reject(new Overloaded(`${waiting.length} wait already`));
          return;
        }
        const entry: Entry<Item, Result> = { item, resolve, reject, isSettled: false };
        if (settlesWithinMs !== undefined) entry.timer = setTimeout(expire, settlesWithinMs, entry);
        waiting.push(entry);
        if (!running) void drain();
      });
    },
  };
}

function halves<Entry>(batch: readonly Entry[]): readonly (readonly Entry[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
