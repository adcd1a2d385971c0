// Stores what callbacks show about acceptance, and reports contradictions to people.
import { recordAcceptance } from "@/server/db/attempts";
import { bindsIntent, unexpectedAcceptance } from "@/server/domain/acceptance";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import { newId } from "@/server/platform/ids";
import { openStuck } from "../exceptions/stuck";
import { merchantClock } from "../merchants/clock";
import type { AnyIntent } from "./apply-news";
import { attemptAnswer } from "./attempt-answer";

/**
 * Stores what a callback of `provider` shows about its acceptance, so that a later denial is not believed. `subject` is the
 * intent after the callback was applied. Opens an exception when the report contradicts the course of the intent.
 */
export async function recordEvidence(
  { kind, intent }: AnyIntent,
  provider: string,
  outcomes: readonly (PaymentOutcome | PayoutOutcome | TopupOutcome)[],
): Promise<void> {
  const outcome = outcomes.find(bindsIntent);
  const isEnded = intent.dueAt === null && intent.failure?.code !== "provider_unavailable";
  if (!outcome || (isEnded && intent.provider === provider)) return;
  const at = (await merchantClock(intent))();
  const attemptId = newId("attempt");
  await recordAcceptance(intent, kind, attemptId, { provider, ...attemptAnswer(attemptId, outcome) }, at);
  const exception = unexpectedAcceptance(intent, provider, outcomes);
  if (exception) await openStuck(intent, exception, at);
}
