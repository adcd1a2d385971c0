/**
 * Runs `call` for at most `ms` milliseconds. Resolves with its value, or at the deadline aborts the signal and resolves
 * with `onTimeout()`. Rejects if the call fails in time. Ignores a later failure, since the caller has its answer.
 */
export async function withDeadline<T>(
  ms: number,
  call: (signal: AbortSignal) => Promise<T>,
  onTimeout: () => T,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
      controller.abort();
    }, ms);
    // The async wrapper turns a synchronous throw into a rejection.
    (async () => call(controller.signal))()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
