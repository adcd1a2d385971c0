// The simulator: creates reports on demand for test objects and applies them like a provider's.

import { notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import {
  SIMULATED_PAYMENT_OUTCOMES,
  SIMULATED_PAYOUT_OUTCOMES,
  SIMULATED_TOPUP_OUTCOMES,
} from "@/server/domain/simulated-outcomes";
import type { CallHistory } from "@/server/psp/gateway";
import { simulatePayment, simulatePayout, simulateTopup } from "@/server/psp/sandbox/simulate";
import { applyUpdate } from "../callbacks/apply-update";
import { IdempotencyLease } from "../idempotency/once";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { merchantClock } from "../merchants/settings";
import { paymentRequest } from "../payments/provider-request";
import { payoutQuery } from "../payouts/kind";
import { topupRequest } from "../topups/provider-request";

/** The sandbox has no sub-accounts. */
const NO_HISTORY: CallHistory = { subAccount: null };

/**
 * Changes a test object as if its provider had reported the outcome. A request that resumes an execution which died
 * returns the object even if the outcome no longer applies, since that execution may have applied it. Throws not_found
 * for live keys and foreign objects, and validation_failed if the outcome is not one of the object's kind or does not
 * apply to its status.
 */
export async function simulate(
  context: CallContext,
  id: string,
  outcome: string,
  lease = new IdempotencyLease(null),
): Promise<AnyIntent> {
  const { scope } = context;
  const isResumed = lease.acquired;
  await lease.take();
  const found = scope.environment === "test" ? await findAnyIntent(scope.merchantId, id) : null;
  if (!found || found.intent.environment !== "test") throw notFoundError();
  const clock = await merchantClock(scope);
  const outcomes = outcomesFor(found, outcome, clock());
  if (!outcomes) {
    const choices = SIMULATED[found.kind].join(", ");
    throw validationError("outcome", `of a ${found.kind.replace("_", " ")} must be one of ${choices}`);
  }
  if (found.kind === "payout_intent" && found.intent.status === "requires_approval") {
    throw new ServiceError("approval_required", "The payout intent is requires_approval; it must be approved first.");
  }
  const { subject, hadEffect } = await applyUpdate(context, found, outcomes);
  if (!hadEffect && !isResumed) {
    throw validationError(
      "outcome",
      `does not apply to a ${found.kind.replace("_", " ")} that is ${subject.intent.status}`,
    );
  }
  return subject;
}

const SIMULATED: Readonly<Record<AnyIntent["kind"], readonly string[]>> = {
  payment_intent: SIMULATED_PAYMENT_OUTCOMES,
  payout_intent: SIMULATED_PAYOUT_OUTCOMES,
  topup_intent: SIMULATED_TOPUP_OUTCOMES,
};

function outcomesFor(subject: AnyIntent, outcome: string, at: Date) {
  switch (subject.kind) {
    case "payment_intent":
      return simulatePayment({ ...paymentRequest(subject.intent), ...NO_HISTORY }, outcome, at);
    case "payout_intent":
      return simulatePayout({ ...payoutQuery(subject.intent), ...NO_HISTORY }, outcome, at);
    case "topup_intent":
      return simulateTopup({ ...topupRequest(subject.intent), ...NO_HISTORY }, outcome, at);
  }
}
