// Calls a provider under the deadline, with no transaction open, and reports faults to its breaker.
import { NeedsOperator } from "@/server/domain/errors";
import type { NotSent, Unknown } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { breakerOf } from "@/server/psp/breakers";
import { withDeadline } from "@/server/psp/deadline";
import type { Gateway } from "@/server/psp/gateway";
import { deadlineOf, gatewayByName } from "@/server/psp/registry";

/** Returns the provider's answer, or `unknown` if none came within `budgetMs` or the call broke. Never throws. */
export async function callProvider<Outcome>(
  provider: string,
  call: (signal: AbortSignal) => Promise<Outcome>,
  budgetMs = deadlineOf(provider),
): Promise<Outcome | Unknown> {
  try {
    const timedOut = (): Unknown => ({ kind: "unknown", detail: `no answer within ${budgetMs} ms` });
    return await withDeadline<Outcome | Unknown>(budgetMs, call, timedOut);
  } catch (error) {
    log().error({ provider, err: error }, "a provider adapter threw");
    return { kind: "unknown", detail: "the call to the provider broke" };
  }
}

/**
 * Makes a call that brings new work, on the provider's channel. A missing answer and a call that could not be made are
 * faults; any answer, even a refusal, is none. Polls do not use this function: an open breaker never stops a poll.
 */
export async function callForNewWork<Outcome>(
  provider: string,
  channel: string,
  call: (signal: AbortSignal) => Promise<Outcome>,
  budgetMs?: number,
): Promise<Outcome | Unknown> {
  const breaker = breakerOf(provider, channel);
  breaker.begin(now().getTime());
  const outcome = await callProvider(provider, call, budgetMs);
  if (isFault(outcome)) breaker.fail(now().getTime());
  else breaker.succeed();
  return outcome;
}

function isFault(outcome: unknown): outcome is Unknown | NotSent {
  if (typeof outcome !== "object" || outcome === null || !("kind" in outcome)) return false;
  return outcome.kind === "unknown" || outcome.kind === "not_sent";
}

/** Returns the intent's provider. Throws NeedsOperator if it is no longer configured; the intent then waits. */
export function requireGateway(intent: { readonly id: string; readonly provider: string }): Gateway {
  const gateway = gatewayByName(intent.provider);
  if (gateway) return gateway;
  throw new NeedsOperator(
    `the provider ${intent.provider} of ${intent.id} is not configured`,
    `Its provider, ${intent.provider}, is no longer configured.`,
  );
}

/** When the worker takes up a new intent of a provider, unless its creating request has recorded an answer by then. */
export function answerDueAt(now: Date, provider: string): Date {
  const GRACE_MS = 1_500;
  return new Date(now.getTime() + deadlineOf(provider) + GRACE_MS);
}
