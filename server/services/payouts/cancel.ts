// Cancels payouts at the approval gate (interface §4.3).

import { ServiceError } from "@/server/domain/errors";
import { decideCancel } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { type Completed, completionFor, type Idempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { recordTransition } from "../intents/transition";
import { requireAllowedIfMember } from "../members/acting-member";
import { merchantClock } from "../merchants/settings";
import { PAYOUTS } from "./kind";

/**
 * Cancels a payout at the gate and releases its hold. Returns `accepted` with the cancelled intent. The payout and its
 * event contain the reason. Throws not_found, Forbidden for a member without the role, and approval_required if the
 * payout is not at the gate or a provider has reported it: then two people end it.
 */
export async function cancelPayoutIntent(
  context: CallContext,
  command: { readonly id: string; readonly reason: string | null },
  idempotency: Idempotency<PayoutIntent>,
): Promise<Completed<PayoutIntent>> {
  await requireAllowedIfMember(context, "decide_payouts");
  const { lease } = idempotency;
  const { scope } = context;
  const [clock, intent] = await Promise.all([merchantClock(scope), getIntent(PAYOUTS, scope, command.id)]);
  const at = clock();
  const recorded = await recordTransition(PAYOUTS, intent, (current) => decideCancel(current, command.reason, at), {
    context,
    at,
    reason: command.reason,
    claim: lease.claim,
    seal: (after) => completionFor(idempotency, after, "accepted"),
  });
  if (recorded.effect !== "moved") throw reportedAtGate(recorded.intent);
  lease.acquired = true;
  lease.completed = true;
  return { intent: recorded.intent, completion: "accepted" };
}

function reportedAtGate({ status }: PayoutIntent): ServiceError {
  return new ServiceError(
    "approval_required",
    `The payout intent is ${status}, but a provider has reported it; the operator must find out what happened first.`,
  );
}
