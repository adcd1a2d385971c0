// Work that goes on beside its caller, counted for whoever must wait for its end.

export interface UnderWay {
  /** How many works have not ended. */
  readonly count: number;
  /** Counts a work until it ends, also after a failure, which is the caller's to handle. Returns the work. */
  track<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves once nothing is under way, at once if nothing is. */
  idle(): Promise<void>;
}

/**
 * Returns a counter of work. It keeps no set of the works: V8 would keep each work that has ever been in one, with all that it
 * refers to, until the next full collection (docs/performance.md).
 */
export function createUnderWay(): UnderWay {
  let count = 0;
  let waiting: (() => void)[] = [];
  const end = () => {
    count -= 1;
    if (count > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    get count() {
      return count;
    },
    track(work) {
      count += 1;
      work.then(end, end);
      return work;
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
