// Sends and polls one confirmed refund, and records what the provider reports about it.

import { type Attempt, announceRefund, answerAttempt, listAttempts } from "@/server/db/attempts";
import { actOf } from "@/server/db/audit/record";
import { failRefund, settleRefund } from "@/server/db/refund-ends";
import { listRefundsOf, postponeRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { denialException, showsAcceptance } from "@/server/domain/acceptance";
import { NeedsOperator } from "@/server/domain/errors";
import { stuckException } from "@/server/domain/exceptions";
import type { RefundOutcome } from "@/server/domain/outcome";
import { nextPollAt } from "@/server/domain/polling";
import type { CallContext } from "@/server/domain/scope";
import { contradictedRefund, decideRefund, nextReturnPoll, stalledRefund } from "@/server/domain/suspense-refund";
import { type Clock, now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { Gateway, RefundRequest } from "@/server/psp/gateway";
import { isDispatchPaused } from "../dispatch/paused";
import { openStuck } from "../exceptions/stuck";
import { attemptAnswer } from "../intents/attempt-answer";
import { callProvider, requireGateway } from "../intents/call";
import { callHistory } from "../intents/call-history";
import { CALLS_ARE_DEAD_AFTER_MS, isUntouched, MAXIMUM_SENDS, PROVIDER_MEMORY_MS } from "../intents/sending";
import { recordReturn } from "./returned";

interface Subject {
  readonly refund: StoredRefund;
  /** Of this refund. */
  readonly attempts: readonly Attempt[];
  readonly gateway: RefundingGateway;
  readonly request: RefundRequest;
  readonly clock: Clock;
}

interface RefundingGateway extends Gateway {
  readonly createRefund: NonNullable<Gateway["createRefund"]>;
  readonly queryRefund: NonNullable<Gateway["queryRefund"]>;
}

/**
 * Sends a confirmed refund, polls one that was sent, or asks whether a settled one came back, and sets when it is due next. Sends again, under the same reference, only
 * if the provider states that it never accepted it. Throws NeedsOperator if the provider is not configured, cannot refund, or has
 * another account than the one that received the payment.
 */
export async function followUpRefund(refund: StoredRefund, clock: Clock): Promise<void> {
  if (refund.state === "settled") return watchForReturn(refund, clock);
  const subject = await subjectOf(refund, clock);
  if (subject.attempts.length === 0) await send(subject);
  else await poll(subject);
  const at = clock();
  const isAccepted = subject.attempts.some(({ outcome }) => showsAcceptance(outcome));
  const since = refund.decidedAt ?? refund.proposedAt;
  const awaited = isAccepted ? "decision" : "acceptance";
  const stalled = stalledRefund(refund.id, since, isAccepted, at);
  // Postponed first: a refund that has ended meanwhile is not due, and not stuck.
  await postponeRefund(refund, nextPollAt(at, { awaited, since, reporting: "polls", deadline: null }));
  if (stalled) await openStuck(refund, stalled, at);
}

/** Asks whether a settled refund came back. Whatever the provider answers, it is asked again until the window is over. */
async function watchForReturn(refund: StoredRefund, clock: Clock): Promise<void> {
  await pollRefund(refund, clock);
  await postponeRefund(refund, nextReturnPoll(refund.endedAt ?? clock(), clock()));
}

/** Polls a refund whose provider says that something happened to it, also after its end. Returns what the provider reports. */
export async function pollRefund(refund: StoredRefund, clock: Clock): Promise<readonly RefundOutcome[]> {
  const subject = await subjectOf(refund, clock);
  const outcomes = await query(subject);
  await record(subject, outcomes, subject.attempts.at(-1)?.id ?? null);
  return outcomes;
}

async function subjectOf(refund: StoredRefund, clock: Clock): Promise<Subject> {
  const { merchantId, environment, id, paymentId, reference, amount, currency, proposedAt: createdAt } = refund;
  const gateway = requireGateway(refund);
  const { createRefund, queryRefund } = gateway;
  if (!createRefund || !queryRefund) {
    throw new NeedsOperator(`${gateway.name} cannot refund ${id}`, `Its provider, ${gateway.name}, no longer refunds.`);
  }
  const [attempts, payment] = await Promise.all([listAttempts(merchantId, id), listAttempts(merchantId, paymentId)]);
  // The account that received the payment holds its money, and so does the sub-account.
  const { subAccount } = callHistory(payment, gateway, merchantId);
  const own = callHistory(attempts, gateway, merchantId);
  if (own.earlier && own.subAccount !== subAccount) {
    throw new NeedsOperator(
      `${id} was sent to another sub-account than its payment`,
      `It was sent to another sub-account of ${gateway.name} than the payment whose money it returns.`,
    );
  }
  const { paymentReference, providerReference, receiptId } = refund;
  const request = {
    reference,
    merchantId,
    environment,
    createdAt,
    amount,
    currency,
    payment: { reference: paymentReference, providerReference, receiptId },
    earlier: own.earlier,
    subAccount,
  };
  return { refund, attempts, gateway: { ...gateway, createRefund, queryRefund }, request, clock };
}

/**
 * Polls the refunds of the same money that have failed, before another one is sent: people may have ended them by hand. Money that
 * one of them moved or may still move is a contradiction, which keeps the next from being announced.
 */
async function pollFailedOnes({ refund, clock }: Subject): Promise<void> {
  const refunds = await listRefundsOf(refund, [refund.fact]);
  for (const earlier of refunds.get(refund.fact) ?? []) {
    if (earlier.state !== "failed") continue;
    const last = (await pollRefund(earlier, clock)).at(-1);
    if (last?.kind !== "pending") continue;
    const why = "The refund was taken for refused, and its provider now reports that it is on its way.";
    await openStuck(earlier, contradictedRefund(earlier.id, why), clock());
  }
}

/** Announces and makes one call. */
async function send(subject: Subject): Promise<void> {
  const { refund, attempts, gateway, request, clock } = subject;
  const { provider, merchantId, currency } = refund;
  if (await isDispatchPaused({ table: "suspense_refund", provider, merchantId, currency })) return;
  if (attempts.length === 0) await pollFailedOnes(subject);
  const ordinal = (attempts.at(-1)?.ordinal ?? 0) + 1;
  const attempt = { id: newId("attempt"), ordinal, account: gateway.account, subAccount: request.subAccount };
  const announcedAt = now();
  if (!(await announceRefund(refund, attempt, clock()))) return;
  const outcome = await callProvider<RefundOutcome>(provider, (signal) =>
    gateway.createRefund({ ...request, announcedAt }, signal),
  );
  await record(subject, [outcome], attempt.id);
}

async function query({ refund, gateway, request, clock }: Subject): Promise<readonly RefundOutcome[]> {
  const at = clock();
  const answer = await callProvider(refund.provider, (signal) => gateway.queryRefund(request, signal, at));
  return "kind" in answer ? [answer] : answer;
}

/** Polls a refund that was sent; decides as payouts do what a provider's "never accepted" is worth. */
async function poll(subject: Subject): Promise<void> {
  const { refund, attempts, clock } = subject;
  const outcomes = await query(subject);
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new RangeError(`${refund.id} was not sent`);
  if (!outcomes.some(({ kind }) => kind === "never_accepted")) return record(subject, outcomes, last.id);
  const at = clock();
  if (attempts.some(({ outcome }) => showsAcceptance(outcome))) {
    await openStuck(refund, denialException(refund.id, refund.provider), at);
    return;
  }
  const isRemembered = isUntouched(attempts) || at.getTime() - first.startedAt.getTime() < PROVIDER_MEMORY_MS;
  if (isRemembered && attempts.length < MAXIMUM_SENDS) return send(subject);
  const isLastWord = at.getTime() - last.startedAt.getTime() >= CALLS_ARE_DEAD_AFTER_MS;
  if (!isRemembered) {
    const why =
      "The provider does not know the refund, but may have forgotten it. Sending it again could refund twice.";
    await openStuck(refund, stuckException(refund.id, "forgotten", why), at);
  } else if (isLastWord) {
    await failRefund(refund, ending(refund, at));
  }
}

/** Records outcomes on the call that they answer, then on the refund: a crash in between is repaired by the next poll. */
async function record(
  { refund, gateway, clock }: Subject,
  outcomes: readonly RefundOutcome[],
  attemptId: string | null,
): Promise<void> {
  const { merchantId, id } = refund;
  const at = clock();
  let { state } = refund;
  for (const outcome of outcomes) {
    if (attemptId !== null) await answerAttempt(merchantId, attemptAnswer(attemptId, outcome), at);
    if (outcome.kind === "unknown" && outcome.needsOperator) {
      await openStuck(refund, stuckException(id, "unmapped", outcome.detail), at);
    }
    const decision = decideRefund({ ...refund, state }, outcome);
    const end = ending(refund, at);
    switch (decision.kind) {
      case "settle":
        if (await settleRefund(refund, { ...end, dueAt: firstReturnPoll(gateway, at) })) state = "settled";
        break;
      case "fail":
        if (await failRefund(refund, end)) state = "failed";
        break;
      case "return":
        if (await recordReturn(refund, end)) state = "returned";
        break;
      case "contradiction":
        await openStuck(refund, contradictedRefund(id, decision.why), at);
        break;
      case "wait":
        break;
    }
  }
}

/** When to ask a provider first whether a refund came back that settles now; null for the sandbox, which says it at once. */
export function firstReturnPoll(gateway: Gateway | null, at: Date): Date | null {
  return gateway?.isOurs ? null : nextReturnPoll(at, at);
}

/** Who ends a refund, and when: the worker, at the merchant's time. */
function ending({ merchantId, environment }: StoredRefund, at: Date) {
  const actor = { type: "worker", id: "worker" } as const;
  const context: CallContext = { scope: { merchantId, environment }, actor, requestId: null, address: null };
  return { context, act: { ...actOf(context), at } };
}
