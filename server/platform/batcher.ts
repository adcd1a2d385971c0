// Owns group commit's waiting room: while one batch is under way the next one gathers; nobody waits on purpose.

export interface Batcher<Item, Result> {
  /** Runs the item in the next batch; rejects with the batch's error for it alone, or with Overloaded. */
  add(item: Item): Promise<Result>;
}

export interface BatcherOptions<Item, Result> {
  /** One result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Two items with the same key never share a batch; left out where any may. */
  readonly exclusiveKey?: (item: Item) => string;
  readonly maximumSize: number;
  /** Beyond this many that wait for a batch, an item is refused at once with Overloaded; without it none is. */
  readonly maximumWaiting?: number;
}

/** More is waiting than can be done in good time; nothing of the item was done. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/** How many members of a failed batch are run again at the same time. */
const LANES = 8;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers items into batches. A batch that fails is run again item by item, beside what comes next, so that one bad item
 * harms no neighbour.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;

  function takeBatch(): Waiting<Item, Result>[] {
    const { exclusiveKey, maximumSize } = options;
    if (!exclusiveKey) return waiting.splice(0, maximumSize);
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    for (const entry of waiting) {
      const key = exclusiveKey(entry.item);
      if (batch.length < maximumSize && !keys.has(key)) {
        keys.add(key);
        batch.push(entry);
      } else {
        left.push(entry);
      }
    }
    waiting = left;
    return batch;
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else void settleAlone(batch);
    }
  }

  /** Beside the loop, a few at a time: whoever waits for a lock holds up neither the next batch nor all the others. */
  async function settleAlone(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const left = [...batch];
    const lane = async (): Promise<void> => {
      for (let entry = left.shift(); entry; entry = left.shift()) await settle([entry]);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) await settle(takeBatch());
    running = false;
  }

  return {
    add(item) {
      return new Promise<Result>((resolve, reject) => {
        if (waiting.length >= (options.maximumWaiting ?? Number.POSITIVE_INFINITY)) {
          reject(new Overloaded(`${waiting.length} wait already`));
          return;
        }
        waiting.push({ item, resolve, reject });
        if (!running) void drain();
      });
    },
  };
}
