// The condition of a webhook endpoint, as people see it: its state, together with how its attempts fared lately.
import { DISABLE_AFTER_HOURS } from "./delivery";
import type { WebhookEndpoint } from "./webhook-endpoint";

/** The figures cover this many hours, of the newest attempts at most this many. */
export const COUNTED_HOURS = 24;
export const ATTEMPTS_COUNTED = 1_000;
/** Counting of what waits stops here. */
export const WAITING_COUNTED = 1_000;

/** The history covers this many days, in stretches of this many hours; of each, the newest attempts, at most this many. */
export const HISTORY_DAYS = 7;
export const STRETCH_HOURS = 6;
export const STRETCH_COUNTED = 200;

/** How the attempts fared that were made in one stretch of time. */
export interface EndpointStretch {
  readonly from: Date;
  /** At most `STRETCH_COUNTED`. */
  readonly attempts: number;
  readonly accepted: number;
  /** Half of the answers, and 95 of 100, took at most this long, in ms; null without answers. */
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

/** What an endpoint has been sent lately, and what waits for it. */
export interface EndpointActivity {
  /** Of the last `COUNTED_HOURS`, at most `ATTEMPTS_COUNTED`. */
  readonly attempts: number;
  readonly accepted: number;
  /** Half of the answers, and 95 of 100, took at most this long, in ms; null without answers. */
  readonly medianMs: number | null;
  readonly slowMs: number | null;
  /** The newest attempt, however old: its HTTP status, or its error. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastAttemptAt: Date | null;
  /** Deliveries that wait, at most `WAITING_COUNTED`. */
  readonly waiting: number;
  /** When the next attempt is due, in the past if a worker is late; null if none is, or nothing is sent. */
  readonly nextAttemptAt: Date | null;
}

/**
 * idle: nothing was sent lately. healthy: nearly all was accepted. unstable: more was rejected than now and then.
 * failing: nothing has been accepted since the first of the last failures.
 */
export type EndpointCondition = "idle" | "healthy" | "unstable" | "failing" | "paused" | "disabled";

/** Fewer rejections than this share of the attempts leave an endpoint healthy; they are sent again. */
const REJECTED_NOW_AND_THEN = 0.05;

/** The condition. An endpoint that fails now is never healthy, whatever it accepted before. */
export function conditionOf(
  { state, failingSince }: Pick<WebhookEndpoint, "state" | "failingSince">,
  { attempts, accepted }: Pick<EndpointActivity, "attempts" | "accepted">,
): EndpointCondition {
  if (state !== "enabled") return state;
  if (failingSince !== null) return "failing";
  if (attempts === 0) return "idle";
  return attempts - accepted < attempts * REJECTED_NOW_AND_THEN ? "healthy" : "unstable";
}

/** When a failing endpoint is disabled unless it accepts something; null if it is not failing, or not sent to. */
export function disabledFrom({ state, failingSince }: Pick<WebhookEndpoint, "state" | "failingSince">): Date | null {
  if (state !== "enabled" || failingSince === null) return null;
  return new Date(failingSince.getTime() + DISABLE_AFTER_HOURS * 3_600_000);
}
