/**
 * Runs `call` for at most `ms` milliseconds. Resolves with its value, or with `onTimeout()` when it has not answered by
 * then; the signal is aborted at that moment so that the call can stop. Rejects when the call fails in time. A failure
 * after the deadline is swallowed: the caller has been answered already.
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
    // Started inside an async function, so that a synchronous throw is a rejection like any other.
    (async () => call(controller.signal))()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
