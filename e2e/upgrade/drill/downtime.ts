// How long nothing was acknowledged while clients wrote all the time.
import { setTimeout as sleep } from "node:timers/promises";

const LOOKS_EVERY_MS = 5;

export interface Gaps {
  /** Returns the longest time between two acknowledged writes since the start, in ms. */
  stop(): Promise<number>;
}

/** Watches a count that rises with each acknowledged write. */
export function watchGaps(count: () => number): Gaps {
  let isOver = false;
  const watching = (async () => {
    let [longest, seen, since] = [0, count(), performance.now()];
    while (!isOver) {
      await sleep(LOOKS_EVERY_MS);
      if (count() === seen) continue;
      longest = Math.max(longest, performance.now() - since);
      [seen, since] = [count(), performance.now()];
    }
    return longest;
  })();
  return {
    async stop() {
      isOver = true;
      return watching;
    },
  };
}
