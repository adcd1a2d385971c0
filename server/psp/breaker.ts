// Circuit breakers: after consecutive faults a provider gets no new work for a while, then one trial call.

export type BreakerState = "closed" | "open" | "half_open";

/** Consecutive faults that open a breaker. */
export const FAULTS_TO_OPEN = 5;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A trial without an answer expires after this, and another is allowed. */
const TRIAL_MS = 60_000;

/**
 * One breaker. Times are milliseconds of the caller's clock. `half_open`: the pause is over and one trial call is
 * allowed. During the trial the breaker counts as open.
 */
export interface Breaker {
  state(now: number): BreakerState;
  /** Records the start of a creating call. */
  begin(now: number): void;
  /** Records an answer; a rejection is one too. */
  succeed(): void;
  /** Records a call that failed or was not answered. */
  fail(now: number): void;
}

/** Returns a closed breaker. `onTurn` is called on every opening and closing. */
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
