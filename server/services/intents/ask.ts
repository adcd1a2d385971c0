// Creates an intent at its provider, fails over to the next provider where that is safe, and records the answer.
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import type { Gateway } from "@/server/psp/gateway";
import { breakerChannel, deadlineOf } from "@/server/psp/registry";
import { completionFor, type Idempotency } from "../idempotency/completion";
import { callForNewWork } from "./call";
import { callHistory } from "./call-history";
import { type AnnouncedAttempt, failOver, type Rerouting } from "./fail-over";
import { recordAnswer } from "./record-answer";

/** A new intent whose first call to its provider is announced. */
interface FirstCall<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>
  extends Rerouting<Intent, Outcome> {
  readonly intent: Intent;
  readonly gateway: Gateway;
  /** Announced by the creating commit. */
  readonly attempt: AnnouncedAttempt;
  readonly idempotency: Idempotency<Intent>;
}

/** With less than this fraction of the deadline left, the worker calls the next provider instead of the request. */
const LEAST_BUDGET = 0.1;

/**
 * Sends the intent to its provider once, and fails over if that provider certainly did not accept it, all under one
 * deadline. Records the provider's answer together with the stored answer of the creation. If another report changed
 * the intent first, the guard makes the late answer be decided on again. Returns the latest state of the intent.
 */
export async function sendFirstCall<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  first: FirstCall<Intent, Outcome>,
): Promise<Intent> {
  const { kind } = first;
  let { intent, gateway, attempt } = first;
  const deadlineMs = deadlineOf(gateway.name);
  const endsAt = now().getTime() + deadlineMs;
  for (let budgetMs = deadlineMs; ; budgetMs = endsAt - now().getTime()) {
    const [target, subject, { announcedAt }] = [gateway, intent, attempt];
    const history = callHistory([], target, subject.merchantId);
    const call = (signal: AbortSignal) => kind.send(target, subject, signal, { announcedAt, history });
    const channel = breakerChannel(target.name, kind.channel(subject), subject.merchantId);
    const outcome = (await callForNewWork(target.name, channel, call, budgetMs)) as Outcome;
    const hasTime = endsAt - now().getTime() >= LEAST_BUDGET * deadlineMs;
    const moved = await failOver(first, intent, { attempt, outcome }, hasTime);
    if (!moved) return record(first, intent, attempt.id, outcome);
    if (!moved.attempt) return moved.intent;
    ({ intent, gateway, attempt } = { ...moved, attempt: moved.attempt });
  }
}

async function record<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind, context, clock, idempotency }: FirstCall<Intent, Outcome>,
  intent: Intent,
  attemptId: string,
  outcome: Outcome,
): Promise<Intent> {
  const recorded = await recordAnswer({
    kind,
    intent,
    context,
    clock,
    outcome,
    decide: (current, answer, at, reportedAt) => kind.decide(current, answer, at, { before: intent, reportedAt }),
    attemptId,
    seal: (after) => completionFor(idempotency, after, "created"),
  });
  if (recorded.effect === "moved") idempotency.lease.completed = true;
  return recorded.intent;
}
