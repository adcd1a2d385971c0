// Until it is recorded, a provider's answer exists only in this process. A callback may end the intent meanwhile, and
// ended intents are not polled. So recording is retried here after an outage if the answer reports that money moved.
// Any other answer may be outdated by then: the next poll of an open intent returns the current one. A merchant that is
// moving to another cell counts as an outage, and its answer is recorded where it is then.
import { setTimeout as sleep } from "node:timers/promises";
import { answerAttempt } from "@/server/db/attempts";
import type { Seal } from "@/server/db/commit/unit";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { createUnderWay } from "@/server/platform/under-way";
import { whereMerchantIs } from "../cells/moved";
import { asServiceError } from "../outage";
import { attemptAnswer } from "./attempt-answer";
import type { IntentRecords } from "./kind";
import { type RecordedDecision, recordTransition } from "./transition";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const TRIES_AGAIN_FOR_MS = 10 * 60 * 1000;
const FINISHES_WITHIN_MS = 5_000;
const MONEY: ReadonlySet<ProviderOutcome["kind"]> = new Set(["succeeded", "settled", "returned"]);

/** A provider's answer about an intent, and how to record it. */
export interface ProviderAnswer<Intent, Outcome extends ProviderOutcome> {
  readonly kind: IntentRecords<Intent>;
  /** As last read. */
  readonly intent: Intent;
  readonly context: CallContext;
  /** The merchant's. */
  readonly clock: Clock;
  readonly outcome: Outcome;
  /** `at` is the time of recording, `answeredAt` the time of the answer; both in the merchant's time. */
  decide(current: Intent, outcome: Outcome, at: Date, answeredAt: Date): Decision<Intent & IntentCore<string>>;
  /** The attempt that the answer belongs to; null if none. */
  readonly attemptId: string | null;
  /** The stored answer of the idempotent request that waits for this recording. */
  readonly seal?: ((after: Intent) => Seal | null) | undefined;
}

const underWay = createUnderWay();

/** True if the outcome reports that money has moved, which later reports do not undo. */
function statesMoney(outcome: ProviderOutcome): boolean {
  return MONEY.has(outcome.kind) || (outcome.kind === "funds_seen" && outcome.confirmed);
}

/**
 * Records the answer on the intent and its attempt. Throws what `recordTransition` throws, also on a database outage.
 * Then it retries in the background for ten minutes if the answer reports that money moved.
 */
export async function recordAnswer<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  answered: ProviderAnswer<Intent, Outcome>,
): Promise<RecordedDecision<Intent>> {
  const answeredAt = answered.clock();
  try {
    return await record(answered, answeredAt);
  } catch (error) {
    if (mayPass(error) && statesMoney(answered.outcome)) recordLater({ ...answered, seal: undefined }, answeredAt);
    throw error;
  }
}

async function record<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind, intent, context, clock, outcome, decide, attemptId, seal }: ProviderAnswer<Intent, Outcome>,
  answeredAt: Date,
): Promise<RecordedDecision<Intent>> {
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
  answered: ProviderAnswer<Intent, Outcome>,
  answeredAt: Date,
): void {
  void underWay.track(tryAgain(answered, answeredAt));
}

async function tryAgain<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  answered: ProviderAnswer<Intent, Outcome>,
  answeredAt: Date,
): Promise<void> {
  const about = { intentId: answered.intent.id, outcome: answered.outcome.kind };
  const endsAt = performance.now() + TRIES_AGAIN_FOR_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    await sleep(pauseMs);
    try {
      await whereMerchantIs(answered.intent.merchantId, () => record(answered, answeredAt));
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

/** Resolves when all background recording has finished, or after 5 s. */
export async function finishRecording(): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  await Promise.race([underWay.idle(), sleep(FINISHES_WITHIN_MS, undefined, { signal }).catch(() => {})]);
  timer.abort();
  if (underWay.count > 0)
    log().error({ count: underWay.count }, "the process ended before these answers were recorded");
}
