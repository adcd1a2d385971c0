// Outcomes and latencies of webhook attempts, over all receivers.
import { type AttemptResult, isAccepted } from "@/server/domain/delivery";
import type { Environment } from "@/server/domain/scope";
import { counter, durations } from "@/server/platform/metrics/instruments";

const countAttempt = counter({
  name: "sluice_webhook_attempts_total",
  help: "Attempts to deliver events: accepted, the class of another status, or why there was no answer.",
  labelNames: ["environment", "result"],
});

const timeAttempt = durations({
  name: "sluice_webhook_attempt_duration_seconds",
  help: "Duration of attempts to deliver events, until the answer or the deadline of 15 s.",
  labelNames: ["environment"],
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

/** Returns `accepted`, the class of another status such as `5xx`, or why there was no answer. */
export function resultOf(result: AttemptResult): string {
  if (isAccepted(result)) return "accepted";
  return result.error ?? `${Math.floor((result.status ?? 0) / 100)}xx`;
}

/** Records one attempt. */
export function measureAttempt(environment: Environment, result: AttemptResult, ms: number): void {
  countAttempt({ environment, result: resultOf(result) });
  timeAttempt({ environment }, ms);
}
