import { listAttempts } from "@/server/db/attempts";
import type { AttemptAnswer } from "@/server/db/commit/calls";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { IntentCore } from "@/server/domain/transition";
import { attemptAnswer } from "../intents/attempt-answer";

/**
 * Returns what a callback that settles a payout records on the last call to its provider: the reference, for comparison
 * with later reports. Returns null if the outcome settles nothing or names no reference, or without such a call.
 */
export async function settlementAnswer(
  { merchantId, id, dueAt }: IntentCore<string>,
  provider: string,
  outcome: PaymentOutcome | PayoutOutcome | TopupOutcome,
): Promise<AttemptAnswer | null> {
  if (dueAt === null || outcome.kind !== "settled" || outcome.providerReference === null) return null;
  const attempts = await listAttempts(merchantId, id);
  const call = attempts.findLast((attempt) => attempt.provider === provider);
  return call ? attemptAnswer(call.id, outcome) : null;
}
