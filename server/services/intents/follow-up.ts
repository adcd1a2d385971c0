// The worker's handling of a due intent: dispatch, poll, send again where that is safe, and expire or fail in time.

import { type Attempt, announceAttempt, answerAttempt, listAttempts } from "@/server/db/attempts";
import { denialException, showsAcceptance } from "@/server/domain/acceptance";
import { stuckException } from "@/server/domain/exceptions";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { IntentCore } from "@/server/domain/transition";
import { type Clock, now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { breakerChannel } from "@/server/psp/registry";
import { isDispatchPaused } from "../dispatch/paused";
import { openStalledException, openStuck, openUnmapped } from "../exceptions/stuck";
import { nextFor } from "../routing/choose";
import { attemptAnswer } from "./attempt-answer";
import { callForNewWork, callProvider, requireGateway } from "./call";
import { callHistory } from "./call-history";

import { endWindow } from "./end-of-window";
import { type AnnouncedAttempt, avoidOpenBreaker, failOver, isRefusal, type Rerouting } from "./fail-over";
import type { IntentKind } from "./kind";
import { recordAnswer } from "./record-answer";
import { CALLS_ARE_DEAD_AFTER_MS, isUntouched, MAXIMUM_SENDS, PROVIDER_MEMORY_MS } from "./sending";
import { recordTransition } from "./transition";
import { workerContext } from "./worker-context";

/**
 * Sends or polls a due intent, records every report and schedules the next poll. Does not send an intent that waits for
 * people.
 */
export async function followUp<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  kind: IntentKind<Intent, Outcome>,
  due: Intent,
  clock: Clock,
): Promise<void> {
  if (kind.gate?.isWaiting(due)) return kind.gate.bringForward(due, clock);
  const subject = { kind, intent: due, clock, context: workerContext(due) };
  const attempts = await listAttempts(due.merchantId, due.id);
  const isSent = attempts.some(({ provider }) => provider === due.provider);
  const { intent: latest, reached } = isSent ? await poll(subject, attempts) : await dispatch(subject, attempts);
  const window = reached ? await endWindow(kind, latest, clock, attempts) : null;
  const intent = window?.intent ?? latest;
  if (intent.dueAt === null) return;
  const at = clock();
  await openStalledException(intent, at);
  await kind.store.postpone(intent, window?.cancelAgainAt ?? kind.nextPollAt(intent, at));
}

/** An intent that the worker has claimed. */
interface Subject<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>
  extends Rerouting<Intent, Outcome> {
  readonly intent: Intent;
}

interface Progress<Intent> {
  readonly intent: Intent;
  /** True if the provider gave a conclusive answer, or certainly does not have the intent. */
  readonly reached: boolean;
}

/** Makes the first call to the intent's provider. Avoids an open breaker if no provider can have the intent. */
async function dispatch<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const intent = isUntouched(attempts) ? await avoidOpenBreaker(subject, subject.intent) : subject.intent;
  return send({ ...subject, intent }, attempts);
}

/** Announces and makes one call that creates the intent at its provider; fails over after a certain refusal. */
async function send<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const { kind, clock } = subject;
  let { intent } = subject;
  let gateway = requireGateway(intent);
  const { provider, merchantId } = intent;
  const isPaused = await isDispatchPaused({ table: kind.table, provider, merchantId, currency: kind.currency(intent) });
  if (isPaused) return { intent, reached: isUntouched(attempts) };
  const stopped = isUntouched(attempts) ? await screen(subject) : null;
  if (stopped) return { intent: stopped, reached: true };
  kind.prepare?.(intent);
  const ordinal = (attempts.at(-1)?.ordinal ?? 0) + 1;
  let attempt: AnnouncedAttempt = { id: newId("attempt"), ordinal, announcedAt: now() };
  const { subAccount } = callHistory(attempts, gateway, merchantId);
  const announced = { ...attempt, account: gateway.account, subAccount };
  if (!(await announceAttempt(intent, kind.table, announced, clock()))) return { intent, reached: false };
  for (;;) {
    const [target, sent, { announcedAt }] = [gateway, intent, attempt];
    const history = callHistory(attempts, target, merchantId);
    const call = (signal: AbortSignal) => kind.send(target, sent, signal, { announcedAt, history });
    const channel = breakerChannel(target.name, kind.channel(sent), merchantId);
    const outcome = (await callForNewWork(target.name, channel, call)) as Outcome;
    const moved = await failOver(subject, intent, { attempt, outcome });
    if (!moved && isRefusal(outcome) && nextFor(intent, kind.channel(intent), { readyOnly: false })) {
      // Another worker has an unanswered call or has moved the intent. A later round decides, with all calls answered.
      await answerAttempt(intent.merchantId, attemptAnswer(attempt.id, outcome), clock());
      return { intent, reached: outcome.kind === "never_accepted" || isUntouched(attempts) };
    }
    if (!moved?.attempt) {
      const progress = await apply({ ...subject, intent }, [outcome], attempt.id);
      return { ...progress, reached: progress.reached || (outcome.kind === "not_sent" && isUntouched(attempts)) };
    }
    ({ intent, gateway, attempt } = { ...moved, attempt: moved.attempt });
  }
}

/** Returns the intent if screening keeps it from being sent: as it is while it waits, or ended. Null if it may be sent. */
async function screen<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>({
  kind,
  intent,
  clock,
  context,
}: Subject<Intent, Outcome>): Promise<Intent | null> {
  const at = clock();
  const screened = await kind.screen?.(intent, at);
  if (screened?.kind === "waits") return intent;
  if (screened?.kind !== "refused") return null;
  return (await recordTransition(kind, intent, (current) => screened.decide(current, at), { context, at })).intent;
}

/** Polls a sent intent. Sends it again only if the provider states that it never accepted it. */
async function poll<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  subject: Subject<Intent, Outcome>,
  attempts: readonly Attempt[],
): Promise<Progress<Intent>> {
  const { kind, intent, clock } = subject;
  const gateway = requireGateway(intent);
  const sent = attempts.filter(({ provider }) => provider === intent.provider);
  const [first, last] = [sent[0], sent.at(-1)];
  if (!first || !last) throw new RangeError(`${intent.id} was not sent to ${intent.provider}`);
  const call = { at: clock(), history: callHistory(attempts, gateway, intent.merchantId) };
  const answer = await callProvider(gateway.name, (signal) => kind.query(gateway, intent, signal, call));
  const outcomes = "kind" in answer ? [answer as Outcome] : answer;
  if (!outcomes.some((outcome) => outcome.kind === "never_accepted")) {
    const progress = await apply(subject, outcomes, last.id);
    return { ...progress, reached: progress.reached || isUntouched(attempts) };
  }
  const at = clock();
  const acceptor = attempts.find(({ outcome }) => showsAcceptance(outcome))?.provider;
  if (acceptor !== undefined) {
    await openStuck(intent, denialException(intent.id, acceptor), at);
    return { intent, reached: true };
  }
  const isRemembered = isUntouched(attempts) || at.getTime() - first.startedAt.getTime() < PROVIDER_MEMORY_MS;
  if (isRemembered && sent.length < MAXIMUM_SENDS) return send(subject, attempts);
  if (isUntouched(attempts)) {
    // Workers that sent it concurrently can use up its sends while their open calls prevent each other's failover.
    const failed = { attempt: last, outcome: { kind: "never_accepted", detail: "refused each time" } } as const;
    const moved = await failOver(subject, intent, failed, false);
    if (moved) return { intent: moved.intent, reached: true };
  }
  const isLastWord = at.getTime() - last.startedAt.getTime() >= CALLS_ARE_DEAD_AFTER_MS;
  if (isRemembered && !isLastWord) return { intent, reached: true };
  if (isRemembered || kind.safeToFail) return apply(subject, outcomes, null);
  const why = "The provider does not know the intent, but may have forgotten it. Sending it again could pay twice.";
  await openStuck(intent, stuckException(intent.id, "forgotten", why), at);
  return { intent, reached: false };
}

/** Records outcomes on the intent, and on the attempt unless they answer none in particular. */
async function apply<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  subject: Subject<Intent, Outcome>,
  outcomes: readonly Outcome[],
  attemptId: string | null,
): Promise<Progress<Intent>> {
  const { kind, clock, context } = subject;
  let { intent } = subject;
  const decide = (current: Intent, outcome: Outcome, at: Date, reportedAt: Date) =>
    kind.decide(current, outcome, at, { before: subject.intent, reportedAt });
  const failures: unknown[] = [];
  await openUnmapped(intent, outcomes, clock());
  for (const outcome of outcomes) {
    try {
      ({ intent } = await recordAnswer({ kind, clock, context, intent, outcome, decide, attemptId }));
    } catch (error) {
      // Still record the others: each may be about different money.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { intent, reached: outcomes.every((outcome) => outcome.kind !== "unknown" && outcome.kind !== "not_sent") };
}
