// Which failed attempts are repeated, and when.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A service that asks for more is not waited for. */
const LONGEST_ASKED_MS = 60_000;

/** Returns the pause that `Retry-After` asks for, in milliseconds; null without a valid one. */
function askedPause(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** 409 with Retry-After: the first attempt of this call is still running. */
function isPassing({ status, headers }: Response): boolean {
  return status === 429 || status >= 500 || (status === 409 && headers.has("retry-after"));
}

/** 500 ms, doubled with each retry up to 5 s. */
export function growingPause(retries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS);
}

/**
 * Returns the pause before the next attempt, in milliseconds, after `retries` retries and an answer, or null without one.
 * Returns null if another attempt would not help.
 */
export function pauseBefore(retries: number, answer: Response | null): number | null {
  if (answer && !isPassing(answer)) return null;
  const asked = (answer && askedPause(answer.headers)) ?? 0;
  if (asked > LONGEST_ASKED_MS) return null;
  // Callers that failed together do not return together.
  return asked + growingPause(retries) * (0.5 + Math.random() / 2);
}

/** Resolves after `ms` milliseconds. Rejects with the reason of an aborted signal. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
