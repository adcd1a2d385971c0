// Decisions about deliveries: when to retry, when to give up, and when to disable an endpoint.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** pending: waits for its next attempt. failed: the schedule is exhausted. skipped: not sent unless replayed. */
export const DELIVERY_STATES = ["pending", "delivered", "failed", "skipped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** paused: the merchant holds deliveries back. disabled: the service has stopped sending to a receiver that is gone or failing. */
export const ENDPOINT_STATES = ["enabled", "paused", "disabled"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** gone: it answered 410. failing: it accepted nothing for `DISABLE_AFTER_HOURS`. */
export const DISABLED_REASONS = ["gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Endpoints per merchant and environment. */
export const MAXIMUM_ENDPOINTS = 10;

/** Deliveries that one call of a member sends again. */
export const MOST_RESENT_AT_ONCE = 50;

/** How long the secret before a rotation goes on signing, in ms. */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;

/** Pauses before each attempt, counted from the one before. */
export const PAUSES_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Pauses are drawn from this share below to this share above, so that failures of one moment do not return as one. */
const JITTER = 0.2;

/** The pause for a busy receiver that sends no `Retry-After`. */
const BUSY_PAUSE_MS = 30 * SECOND_MS;
/** The longest time for which a `Retry-After` also delays the receiver's other deliveries. */
const LONGEST_HOLD_MS = HOUR_MS;
const BUSY_STATUSES: readonly number[] = [429, 502, 504];

/** The result of one attempt. */
export interface AttemptResult {
  /** Null when there was no answer; known for an answer that broke off, too. */
  readonly status: number | null;
  /** Why there was no whole answer; null when there was. */
  readonly error: string | null;
  /** The value of `Retry-After`, in ms. */
  readonly retryAfterMs: number | null;
}

export type NextStep =
  | { readonly state: "delivered" }
  | { readonly state: "failed" }
  | { readonly state: "pending"; readonly pauseMs: number };

/** Only a 2xx that arrived as a whole is success; a redirect is a failure. */
export function isAccepted({ status, error }: AttemptResult): boolean {
  return error === null && status !== null && status >= 200 && status <= 299;
}

/**
 * What follows the attempt number `step` (1 for the first) of a round of the schedule. `draw` is a random number from 0
 * to 1. A pause that the receiver requested applies if it is longer than the schedule's.
 */
export function nextStep(step: number, result: AttemptResult, draw: number): NextStep {
  if (isAccepted(result)) return { state: "delivered" };
  const pause = PAUSES_MS[step];
  if (pause === undefined) return { state: "failed" };
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * draw));
  return { state: "pending", pauseMs: Math.max(jittered, requestedPauseMs(result)) };
}

function requestedPauseMs({ status, retryAfterMs }: AttemptResult): number {
  if (retryAfterMs !== null) return retryAfterMs;
  return status !== null && BUSY_STATUSES.includes(status) ? BUSY_PAUSE_MS : 0;
}

/** How long nothing at all is sent to the endpoint after this attempt, in ms; 0 if the receiver requested no pause. */
export function holdMs(result: AttemptResult): number {
  return isAccepted(result) ? 0 : Math.min(requestedPauseMs(result), LONGEST_HOLD_MS);
}

/** Hours of failing after which the merchant is warned, each once. */
export const WARNING_HOURS = [1, 24, 96] as const;
/** Longer than any delivery's own schedule: an endpoint that is disabled has let several of them run out. */
export const DISABLE_AFTER_HOURS = 120;

export interface EndpointHealth {
  readonly failingSince: Date;
  readonly warnedHours: number;
}

export interface HealthVerdict {
  /** The warning that is due now, or null. */
  readonly warnHours: (typeof WARNING_HOURS)[number] | null;
  readonly disable: boolean;
}

/** What a further failure means for an endpoint that has accepted nothing since `failingSince`. */
export function judgeHealth({ failingSince, warnedHours }: EndpointHealth, now: Date): HealthVerdict {
  const hours = (now.getTime() - failingSince.getTime()) / HOUR_MS;
  const due = WARNING_HOURS.findLast((warning) => hours >= warning) ?? null;
  return { warnHours: due !== null && due > warnedHours ? due : null, disable: hours >= DISABLE_AFTER_HOURS };
}

/** True if the answer is 410 Gone. */
export function isGone({ status }: AttemptResult): boolean {
  return status === 410;
}
