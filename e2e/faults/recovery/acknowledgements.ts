// Times how long a service is without an acknowledged write after a kill.

const WITHIN_MS = 120_000;

export interface Acknowledgements {
  /** Told of each acknowledged write: when its request was sent, in ms of `performance.now()`. */
  note(sentAt: number): void;
  /**
   * Resolves to the time from `killedAt` (ms of `performance.now()`) to the first acknowledgement of a request that was sent
   * after it, in ms. An answer to an earlier request proves nothing. Rejects after two minutes without one.
   */
  nextAfter(killedAt: number): Promise<number>;
}

/** Returns what a load reports its acknowledged writes to. */
export function watchAcknowledgements(): Acknowledgements {
  const waiting = new Set<(sentAt: number) => void>();
  return {
    note(sentAt) {
      for (const told of waiting) told(sentAt);
    },
    nextAfter: (killedAt) =>
      new Promise((resolve, reject) => {
        const told = (sentAt: number) => {
          if (sentAt < killedAt) return;
          end();
          resolve(performance.now() - killedAt);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`no write was acknowledged within ${WITHIN_MS} ms of a kill`));
        }, WITHIN_MS);
        function end(): void {
          clearTimeout(timer);
          waiting.delete(told);
        }
        waiting.add(told);
      }),
  };
}
