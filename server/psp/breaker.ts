// Circuit breakers: after faults in a row a provider gets no new work for a while, then one call that tries it.

export type BreakerState = "closed" | "open" | "half_open";

/** Faults in a row that open a breaker. */
export const FAULTS_TO_OPEN = 5;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A trial whose answer never came is over by then, and another may be made. */
const TRIAL_MS = 60_000;

/**
 * One breaker. Times are milliseconds of the caller's clock. `half_open` means that the pause is over and one call may try;
 * while that is under way the breaker counts as open again.
 */
export interface Breaker {
  state(now: number): BreakerState;
  /** A call that creates something is about to be made. */
  begin(now: number): void;
  /** It was answered, be it with a refusal. */
  succeed(): void;
  /** It was not answered, or could not be made. */
  fail(now: number): void;
}

/** A closed breaker; `onTurn` hears of every opening and closing. */
export function createBreaker(onTurn: (state: "open" | "closed") => void = () => {}): Breaker {
  let faults = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let openUntil: number | null = null;
  let trialUntil = 0;

  function state(now: number): BreakerState {
    if (openUntil === null) return "closed";
    return now < openUntil || now < trialUntil ? "open" : "half_open";
  }

  return {
    state,
    begin(now) {
      if (state(now) === "half_open") trialUntil = now + TRIAL_MS;
    },
    succeed() {
      if (openUntil !== null) onTurn("closed");
      [faults, pauseMs, openUntil, trialUntil] = [0, FIRST_PAUSE_MS, null, 0];
    },
    fail(now) {
      faults += 1;
      const wasTrial = trialUntil > 0;
      if (faults < FAULTS_TO_OPEN || (openUntil !== null && !wasTrial)) return;
      if (wasTrial) pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      [openUntil, trialUntil] = [now + pauseMs, 0];
      onTurn("open");
    },
  };
}
