// Owns the call that creates an intent at its provider, the next one's where that is safe, and recording what it brought.
import type { PaymentOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { Decision, IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import type { Gateway } from "@/server/psp/gateway";
import { type Sealing, sealFor } from "../idempotency/sealing";
import { attemptAnswer } from "./attempt-answer";
import { callForNewWork } from "./call";
import { type Announced, failOver, type Rerouting, type Routed } from "./fail-over";
import { recordAnswer } from "./record-answer";

interface Question<Intent, Outcome> extends Rerouting<Intent> {
  readonly intent: Routed<Intent>;
  readonly gateway: Gateway;
  /** The attempt that the creating commit announced. */
  readonly attempt: Announced;
  readonly sealing: Sealing<Intent>;
  send(gateway: Gateway, intent: Intent, signal: AbortSignal, announcedAt: Date): Promise<Outcome>;
  decide(current: Intent, outcome: Outcome, at: Date, answeredAt: Date): Decision<Intent & IntentCore<string>>;
}

/** With less than this part of the deadline left, a further provider is not called by the request but by the worker. */
const LEAST_BUDGET = 0.1;

/**
 * Sends the intent to its provider once, and to the next when that has surely not taken it, all under one deadline; records
 * the answer with the stored response of the creation. News that came by another way meanwhile wins over a late answer, by the guard. Returns
 * the intent as it then is.
 */
export async function askProvider<Intent extends IntentCore<string>, Outcome extends PaymentOutcome | TopupOutcome>(
  question: Question<Intent, Outcome>,
): Promise<Intent> {
  const { providerDeadlineMs } = env();
  const endsAt = now().getTime() + providerDeadlineMs;
  let { intent, gateway, attempt } = question;
  for (let budgetMs = providerDeadlineMs; ; budgetMs = endsAt - now().getTime()) {
    const [target, subject, { announcedAt }] = [gateway, intent, attempt];
    const call = (signal: AbortSignal) => question.send(target, subject, signal, announcedAt);
    const outcome = (await callForNewWork(target.name, question.channel, call, budgetMs)) as Outcome;
    const hasTime = endsAt - now().getTime() >= LEAST_BUDGET * providerDeadlineMs;
    const moved = await failOver(question, intent, { attempt, outcome }, hasTime);
    if (!moved) return record(question, intent, attempt.id, outcome);
    if (!moved.attempt) return moved.intent;
    ({ intent, gateway, attempt } = { ...moved, attempt: moved.attempt });
  }
}

async function record<Intent extends IntentCore<string>, Outcome extends PaymentOutcome | TopupOutcome>(
  { kind, context, clock, sealing, decide }: Question<Intent, Outcome>,
  intent: Intent,
  attemptId: string,
  outcome: Outcome,
): Promise<Intent> {
  const recorded = await recordAnswer<Intent>({
    kind,
    intent,
    context,
    clock,
    decide: (current, at, answeredAt) => decide(current, outcome, at, answeredAt),
    attempt: attemptAnswer(attemptId, outcome),
    seal: (after) => sealFor(sealing, after, "created"),
  });
  if (recorded.effect === "moved") sealing.hold.sealed = true;
  return recorded.intent;
}
