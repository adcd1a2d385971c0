// A provider's answer exists in this process only until it is recorded. The intent may end by other news meanwhile, and nobody
// asks about an ended intent again, so an answer that the database did not take is tried again here.
import { setTimeout as sleep } from "node:timers/promises";
import { answerAttempt } from "@/server/db/attempts";
import type { AttemptAnswer, Seal } from "@/server/db/commit/unit";
import type { CallContext } from "@/server/domain/scope";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { asServiceError } from "../outage";
import type { IntentRecords } from "./kind";
import { type Recorded, recordTransition } from "./transition";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
const TRIES_AGAIN_FOR_MS = 10 * 60 * 1000;
const FINISHES_WITHIN_MS = 5_000;

/** What a provider answered about an intent, and how to record it. */
export interface Answered<Intent> {
  readonly kind: IntentRecords<Intent>;
  /** As last read. */
  readonly intent: Intent;
  readonly context: CallContext;
  /** The merchant's. */
  readonly clock: Clock;
  /** `at` is the time of the record, `answeredAt` that of the answer; both in the merchant's time. */
  decide(current: Intent, at: Date, answeredAt: Date): Decision<Intent & IntentCore<string>>;
  /** What to keep of the answer on the attempt that brought it; null for an answer to none of them. */
  readonly attempt: AttemptAnswer | null;
  /** The answer to the idempotent request that waits for this one. */
  readonly seal?: ((after: Intent) => Seal | null) | undefined;
}

const underWay = new Set<Promise<void>>();

/**
 * Records the answer on the intent and its attempt. Throws what `recordTransition` throws. After an outage of the database
 * it throws too, and goes on trying in the background for ten minutes.
 */
export async function recordAnswer<Intent extends IntentCore<string>>(
  answered: Answered<Intent>,
): Promise<Recorded<Intent>> {
  const answeredAt = answered.clock();
  try {
    return await record(answered, answeredAt);
  } catch (error) {
    if (mayPass(error)) recordLater({ ...answered, seal: undefined }, answeredAt);
    throw error;
  }
}

async function record<Intent extends IntentCore<string>>(
  { kind, intent, context, clock, decide, attempt, seal }: Answered<Intent>,
  answeredAt: Date,
): Promise<Recorded<Intent>> {
  const at = clock();
  const recorded = await recordTransition<Intent>(kind, intent, (current) => decide(current, at, answeredAt), {
    context,
    at,
    answer: attempt,
    seal,
  });
  if (attempt && recorded.effect !== "moved") await answerAttempt(intent.merchantId, attempt, at);
  return recorded;
}

const mayPass = (error: unknown): boolean => asServiceError(error)?.code === "service_unavailable";

function recordLater<Intent extends IntentCore<string>>(answered: Answered<Intent>, answeredAt: Date): void {
  const trying = tryAgain(answered, answeredAt).finally(() => underWay.delete(trying));
  underWay.add(trying);
}

async function tryAgain<Intent extends IntentCore<string>>(
  answered: Answered<Intent>,
  answeredAt: Date,
): Promise<void> {
  const about = { intentId: answered.intent.id, outcome: answered.attempt?.outcome };
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
