// A provider's answer exists in this process only until it is recorded. A callback may end the intent meanwhile, and nobody
// polls an ended intent. So an answer that says that money moved is tried again here if the database did not take it. Any
// other answer may be outdated by then: the next poll of an open intent brings the present one.
import { setTimeout as sleep } from "node:timers/promises";
import { answerAttempt } from "@/server/db/attempts";
import type { Seal } from "@/server/db/commit/unit";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { asServiceError } from "../outage";
import { attemptAnswer } from "./attempt-answer";
import type { IntentRecords } from "./kind";
import { type Recorded, recordTransition } from "./transition";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const TRIES_AGAIN_FOR_MS = 10 * 60 * 1000;
const FINISHES_WITHIN_MS = 5_000;
const MONEY: ReadonlySet<ProviderOutcome["kind"]> = new Set(["succeeded", "settled", "returned"]);

/** What a provider answered about an intent, and how to record it. */
export interface Answered<Intent, Outcome extends ProviderOutcome> {
  readonly kind: IntentRecords<Intent>;
  /** As last read. */
  readonly intent: Intent;
  readonly context: CallContext;
  /** The merchant's. */
  readonly clock: Clock;
  readonly outcome: Outcome;
  /** `at` is the time of the record, `answeredAt` that of the answer; both in the merchant's time. */
  decide(current: Intent, outcome: Outcome, at: Date, answeredAt: Date): Decision<Intent & IntentCore<string>>;
  /** The attempt that brought the answer; null for an answer to none of them. */
  readonly attemptId: string | null;
  /** The answer to the idempotent request that waits for this one. */
  readonly seal?: ((after: Intent) => Seal | null) | undefined;
}

const underWay = new Set<Promise<void>>();

/** True for a report that stays true: that much money has moved. */
function statesMoney(outcome: ProviderOutcome): boolean {
  return MONEY.has(outcome.kind) || (outcome.kind === "funds_seen" && outcome.confirmed);
}

/**
 * Records the answer on the intent and its attempt. Throws what `recordTransition` throws. After an outage of the database
 * it throws too, and goes on trying in the background for ten minutes if the answer says that money moved.
 */
export async function recordAnswer<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  answered: Answered<Intent, Outcome>,
): Promise<Recorded<Intent>> {
  const answeredAt = answered.clock();
  try {
    return await record(answered, answeredAt);
  } catch (error) {
    if (mayPass(error) && statesMoney(answered.outcome)) recordLater({ ...answered, seal: undefined }, answeredAt);
    throw error;
  }
}

async function record<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind, intent, context, clock, outcome, decide, attemptId, seal }: Answered<Intent, Outcome>,
  answeredAt: Date,
): Promise<Recorded<Intent>> {
  const at = clock();
  const answer = attemptId === null ? null : attemptAnswer(attemptId, outcome);
  const recorded = await recordTransition<Intent>(kind, intent, (current) => decide(current, outcome, at, answeredAt), {
    context,
    at,
    answer,
    seal,
  });
  if (answer && recorded.effect !== "moved") await answerAttempt(intent.merchantId, answer, at);
  return recorded;
}

const mayPass = (error: unknown): boolean => asServiceError(error)?.code === "service_unavailable";

function recordLater<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  answered: Answered<Intent, Outcome>,
  answeredAt: Date,
): void {
  const trying = tryAgain(answered, answeredAt).finally(() => underWay.delete(trying));
  underWay.add(trying);
}

async function tryAgain<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  answered: Answered<Intent, Outcome>,
  answeredAt: Date,
): Promise<void> {
  const about = { intentId: answered.intent.id, outcome: answered.outcome.kind };
  const endsAt = performance.now() + TRIES_AGAIN_FOR_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    await sleep(pauseMs);
    try {
      await record(answered, answeredAt);
      return;
    } catch (error) {
      if (mayPass(error) && performance.now() < endsAt) continue;
      log().error(
        { ...about, err: error },
        "a provider's answer was not recorded; compare the intent with its provider",
      );
      return;
    }
  }
}

/** Resolves when every answer that was to be recorded later is, after 5 s at the latest. */
export async function finishRecording(): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  await Promise.race([Promise.all(underWay), sleep(FINISHES_WITHIN_MS, undefined, { signal }).catch(() => {})]);
  timer.abort();
  if (underWay.size > 0) log().error({ count: underWay.size }, "the process ends before these answers were recorded");
}
