// The end of a payer's window: closes the intent at its provider, if the provider can do that, and then expires it.

import type { Attempt } from "@/server/db/attempts";
import type { ProviderOutcome, Unknown } from "@/server/domain/outcome";
import type { IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { callProvider, requireGateway } from "./call";
import { callHistory } from "./call-history";

import type { IntentKind } from "./kind";
import { recordAnswer } from "./record-answer";
import { recordTransition } from "./transition";
import { workerContext } from "./worker-context";

interface EndedIntent<Intent> {
  readonly intent: Intent;
  /** When to repeat the cancel call; null if it need not be repeated. */
  readonly cancelAgainAt: Date | null;
}

/** Interval and total time for repeating the cancel call while the provider does not confirm it. */
const CANCEL_AGAIN_MS = 15_000;
const CANCEL_FOR_MS = 60_000;

/** Answers to a cancel call that change nothing: no usable answer, or an intent that can still be paid. */
const WITHOUT_RESULT: ReadonlySet<ProviderOutcome["kind"]> = new Set([
  "unknown",
  "not_sent",
  "never_accepted",
  "requires_action",
  "instructions",
]);

/**
 * Ends an intent whose window is over. The caller has just polled the provider, and no report ended the intent. A
 * provider that supports cancel calls closes it first. The answer is recorded like any report, so an intent that was
 * paid meanwhile does not expire. Without a confirmation, the intent expires once its window has been over for a
 * minute.
 */
export async function endWindow<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  kind: IntentKind<Intent, Outcome>,
  intent: Intent,
  clock: Clock,
  attempts: readonly Attempt[],
): Promise<EndedIntent<Intent>> {
  if (!isOver(kind, intent, clock)) return { intent, cancelAgainAt: null };
  const context = workerContext(intent);
  const answer = await cancelAtProvider(kind, intent, attempts);
  let current: Intent = intent;
  if (answer && hasResult(answer)) {
    const decide = (latest: Intent, outcome: Outcome, at: Date, reportedAt: Date) =>
      kind.decide(latest, outcome, at, { before: intent, reportedAt });
    const outcome = asExpired(answer);
    current = (await recordAnswer({ kind, intent, context, clock, outcome, decide, attemptId: null })).intent;
  }
  const at = clock();
  if (!isOver(kind, current, clock)) return { intent: current, cancelAgainAt: null };
  const isClosed = answer === null || answer.kind === "never_accepted";
  if (!isClosed && !isOver(kind, current, clock, CANCEL_FOR_MS)) {
    return { intent: current, cancelAgainAt: new Date(at.getTime() + CANCEL_AGAIN_MS) };
  }
  const decideNow = (latest: Intent) => kind.decideExpiry(latest, at);
  const expired = await recordTransition<Intent>(kind, current, decideNow, { context, at });
  return { intent: expired.intent, cancelAgainAt: null };
}

/** True while the intent is open and its deadline passed at least `byMs` ago. */
function isOver<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  kind: IntentKind<Intent, Outcome>,
  intent: Intent,
  clock: Clock,
  byMs = 0,
): boolean {
  const deadline = intent.dueAt === null ? null : kind.deadline(intent);
  return deadline !== null && deadline.getTime() + byMs <= clock().getTime();
}

/** Returns the provider's answer to the cancel call; null if it has no such call. */
async function cancelAtProvider<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  kind: IntentKind<Intent, Outcome>,
  intent: Intent,
  attempts: readonly Attempt[],
): Promise<Outcome | Unknown | null> {
  const gateway = requireGateway(intent);
  const history = callHistory(attempts, gateway, intent.merchantId);
  const call = async (signal: AbortSignal) => kind.cancel(gateway, intent, signal, history);
  const answer = await callProvider<Outcome | null>(intent.provider, call);
  if (!answer) return null;
  log().info(
    { intentId: intent.id, provider: intent.provider, answer: answer.kind },
    "Sluice sent the provider a cancel call",
  );
  return answer;
}

function hasResult<Outcome extends ProviderOutcome>(answer: Outcome | Unknown): answer is Outcome {
  return !WITHOUT_RESULT.has(answer.kind);
}

/** An intent that we cancelled at the end of its window has expired: its payer did not cancel it. */
function asExpired<Outcome extends ProviderOutcome>(answer: Outcome): Outcome {
  return answer.kind === "cancelled" ? { ...answer, kind: "expired" } : answer;
}
