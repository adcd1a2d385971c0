// Owns what the worker does with an intent that is due: first dispatch, asking about what is unknown, giving up in time.
import { type Attempt, announceAttempt, answerAttempt, listAttempts } from "@/server/db/attempts";
import { denialException, showsAcceptance } from "@/server/domain/acceptance";
import { stuckException } from "@/server/domain/exceptions";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { Gateway } from "@/server/psp/gateway";
import { isDispatchPaused } from "../dispatch/paused";
import { openIfStandingStill, openStuck } from "../exceptions/stuck";
import { nextFor } from "../routing/choose";
import { attemptAnswer } from "./attempt-answer";
import { callForNewWork, callProvider } from "./call";
import { type EndOfWindow, endWindow } from "./end-of-window";
import { type Announced, avoidOpenBreaker, failOver, isRefusal, type Rerouting, type Routed } from "./fail-over";
import { recordAnswer } from "./record-answer";
import { requireGateway } from "./require-gateway";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

export interface Subject<Intent, Outcome> extends Omit<Rerouting<Intent>, "context">, EndOfWindow<Intent, Outcome> {
  readonly intent: Routed<Intent>;
  /** Made before the call is announced: what cannot be made is no attempt. */
  prepare?(): void;
  /** True when a provider that never accepted the intent leaves no doubt, even after it may have forgotten it. */
  readonly safeToFail: boolean;
  send(gateway: Gateway, intent: Intent, signal: AbortSignal, announcedAt: Date): Promise<Outcome>;
  query(gateway: Gateway, intent: Intent, signal: AbortSignal, at: Date): Promise<readonly Outcome[]>;
  /** When to look again at an intent that did not end. */
  nextLook(current: Intent, at: Date): Date;
}

/** Providers remember a reference for 24 h; within this time an equal reference cannot be executed twice. */
const PROVIDER_MEMORY_MS = 23 * 60 * 60 * 1000;
const MAXIMUM_SENDS = 5;

/**
 * A call without an answer may still be on its way. Its signature carries the time of its announcement, and providers reject
 * one that is 300 s old. Only this long after the last announcement is "never accepted" the last word.
 */
const CALLS_ARE_DEAD_AFTER_MS = 10 * 60 * 1000;

/** Who acts when the worker does. */
export function workerContext(intent: IntentCore<string>): CallContext {
  const scope = { merchantId: intent.merchantId, environment: intent.environment };
  return { scope, actor: { type: "worker", id: "worker" }, requestId: null, address: null };
}

/** Brings a due intent forward: one call to its provider, every piece of news recorded, the next look scheduled. */
export async function followUp<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: Subject<Intent, Outcome>,
): Promise<void> {
  const attempts = await listAttempts(subject.intent.merchantId, subject.intent.id);
  const isSent = attempts.some(({ provider }) => provider === subject.intent.provider);
  const progress = isSent ? await ask(subject, attempts) : await dispatch(subject, attempts);
  const latest = progress.intent as Routed<Intent>;
  const window = progress.reached ? await endWindow<Intent, Outcome>(subject, latest, workerContext(latest)) : null;
  const intent = window?.intent ?? latest;
  if (intent.dueAt === null) return;
  const at = subject.clock();
  await openIfStandingStill(intent, at);
  await subject.kind.store.postpone(intent, window?.cancelAgainAt ?? subject.nextLook(intent, at));
}

interface Progress<Intent> {
  readonly intent: Intent;
  /** True when the provider gave an answer we can rely on, or surely has nothing to answer for. */
  readonly reached: boolean;
}

/** True when no provider can have the intent: every call so far was refused for certain or never left us. */
function isUntouched(attempts: readonly Attempt[]): boolean {
  return attempts.every(({ outcome }) => outcome === "never_accepted" || outcome === "not_sent");
}

/** The first call to the intent's provider; where nothing was ever sent, a provider with an open breaker is avoided. */
async function dispatch<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const rerouting = { ...subject, context: workerContext(subject.intent) };
  const intent = isUntouched(attempts) ? await avoidOpenBreaker<Intent>(rerouting, subject.intent) : subject.intent;
  return send({ ...subject, intent }, attempts);
}

/** Announces and makes one call that creates the intent at its provider; the next one's where that surely has nothing. */
async function send<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const rerouting = { ...subject, context: workerContext(subject.intent) };
  let { intent } = subject;
  let gateway = requireGateway(intent);
  const { currency, kind } = subject;
  const work = { table: kind.table, provider: intent.provider, merchantId: intent.merchantId, currency };
  if (await isDispatchPaused(work)) return { intent, reached: isUntouched(attempts) };
  subject.prepare?.();
  const ordinal = (attempts.at(-1)?.ordinal ?? 0) + 1;
  let attempt: Announced = { id: newId("attempt"), ordinal, announcedAt: now() };
  if (!(await announceAttempt(intent, subject.kind.table, attempt, subject.clock()))) return { intent, reached: false };
  for (;;) {
    const [target, sent, { announcedAt }] = [gateway, intent, attempt];
    const call = (signal: AbortSignal) => subject.send(target, sent, signal, announcedAt);
    const outcome = (await callForNewWork(target.name, subject.channel, call)) as Outcome;
    const moved = await failOver<Intent>(rerouting, intent, { attempt, outcome });
    if (!moved && isRefusal(outcome) && nextFor(intent, subject.channel, { readyOnly: false })) {
      // Another worker's call kept it here, or has moved it meanwhile: a later look decides, when all calls are answered.
      await answerAttempt(intent.merchantId, attemptAnswer(attempt.id, outcome), subject.clock());
      return { intent, reached: outcome.kind === "never_accepted" || isUntouched(attempts) };
    }
    if (!moved?.attempt) {
      const progress = await apply({ ...subject, intent }, [outcome], attempt.id);
      return { ...progress, reached: progress.reached || (outcome.kind === "not_sent" && isUntouched(attempts)) };
    }
    ({ intent, gateway, attempt } = { ...moved, attempt: moved.attempt });
  }
}

/** Asks about an intent that was sent. Only a provider that is certain never to have accepted it is sent it again. */
async function ask<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const { intent } = subject;
  const gateway = requireGateway(intent);
  const sent = attempts.filter(({ provider }) => provider === intent.provider);
  const [first, last] = [sent[0], sent.at(-1)];
  if (!first || !last) throw new RangeError(`${intent.id} was not sent to ${intent.provider}`);
  const answer = await callProvider(gateway.name, (signal) => subject.query(gateway, intent, signal, subject.clock()));
  const outcomes = "kind" in answer ? [answer as Outcome] : answer;
  if (!outcomes.some((outcome) => outcome.kind === "never_accepted")) {
    const progress = await apply(subject, outcomes, last.id);
    return { ...progress, reached: progress.reached || isUntouched(attempts) };
  }
  const at = subject.clock();
  const acceptor = attempts.find(({ outcome }) => showsAcceptance(outcome))?.provider;
  if (acceptor !== undefined) {
    await openStuck(intent, denialException(intent.id, acceptor), at);
    return { intent, reached: true };
  }
  const isRemembered = isUntouched(attempts) || at.getTime() - first.startedAt.getTime() < PROVIDER_MEMORY_MS;
  if (isRemembered && sent.length < MAXIMUM_SENDS) return send(subject, attempts);
  if (isUntouched(attempts)) {
    // Several workers that sent it together can use up its sends, each kept from moving it by the others' open calls.
    const rerouting = { ...subject, context: workerContext(intent) };
    const failed = { attempt: last, outcome: { kind: "never_accepted", detail: "refused each time" } } as const;
    const moved = await failOver<Intent>(rerouting, intent, failed, false);
    if (moved) return { intent: moved.intent, reached: true };
  }
  const isLastWord = at.getTime() - last.startedAt.getTime() >= CALLS_ARE_DEAD_AFTER_MS;
  if (isRemembered && !isLastWord) return { intent, reached: true };
  if (isRemembered || subject.safeToFail) return apply(subject, outcomes, null);
  const why = "The provider does not know it, but may have forgotten it: sending it again could pay twice.";
  await openStuck(intent, stuckException(intent.id, "forgotten", why), at);
  return { intent, reached: false };
}

/** Records outcomes on the intent and on the attempt; null for what answers no call, such as a denial of earlier ones. */
async function apply<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: Subject<Intent, Outcome>,
  outcomes: readonly Outcome[],
  attemptId: string | null,
): Promise<Progress<Intent>> {
  const { kind, clock } = subject;
  let intent: Intent = subject.intent;
  for (const outcome of outcomes) {
    const recorded = await recordAnswer<Intent>({
      kind,
      clock,
      intent,
      context: workerContext(intent),
      decide: (current, at, answeredAt) => subject.decide(current, outcome, at, answeredAt),
      attempt: attemptId === null ? null : attemptAnswer(attemptId, outcome),
    });
    intent = recorded.intent;
  }
  return { intent, reached: outcomes.every(({ kind: name }) => name !== "unknown" && name !== "not_sent") };
}
