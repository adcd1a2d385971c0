// The approval gate of payouts: who may approve, and what approval, cancellation and lapse do.

import { Forbidden, ServiceError } from "./errors";
import type { ExceptionFact } from "./exceptions";
import { payoutRelease } from "./ledger";
import { APPROVAL_LAPSE_DAYS, lapseOf, movePayout, type PayoutIntent } from "./payout-intent";
import type { Decision, PlannedChange } from "./transition";

/** What decides whether one member may approve one payout. */
export interface ApproverStanding {
  /** True if they made it themselves, created or rolled the API key that did, or saved the recipient. */
  readonly isMaker: boolean;
  /** They decide on payouts made from then on; null for somebody who is no member. */
  readonly authorityFrom: Date | null;
}

/** Why a member cannot approve a payout. */
export type StandingObstacle = "made_by_you" | "authority_too_new";

/** Returns why the standing rules out an approval, or null if it does not. */
export function obstacleOf(
  { createdAt }: Pick<PayoutIntent, "createdAt">,
  { isMaker, authorityFrom }: ApproverStanding,
): StandingObstacle | null {
  if (isMaker) return "made_by_you";
  return authorityFrom !== null && authorityFrom > createdAt ? "authority_too_new" : null;
}

/**
 * One more approval, by a person who did not make the payout and whose authority is older; the last one required opens the
 * gate. The write enforces all of it again, and that each person counts once. Throws `approval_required` for somebody who
 * may not approve this payout and when it is not at the gate, Forbidden for somebody who is no member.
 */
export function decideApproval(
  intent: PayoutIntent,
  standing: ApproverStanding,
  now: Date,
): PlannedChange<PayoutIntent> {
  requireGate(intent, "approved");
  if (standing.authorityFrom === null) throw new Forbidden("Only a member can approve a payout.");
  const obstacle = obstacleOf(intent, standing);
  if (obstacle !== null) throw new ServiceError("approval_required", OBSTACLE_TEXT[obstacle]);
  const approvalsGiven = intent.approvalsGiven + 1;
  const trigger = approvalsGiven < intent.approvalsRequired ? "approve_partly" : "approve";
  const { plan } = movePayout(intent, trigger, now, null, []);
  const dueAt = trigger === "approve" ? plan.after.dueAt : lapseOf(intent.createdAt);
  return { kind: "planned", plan: { ...plan, after: { ...plan.after, approvalsGiven, dueAt } } };
}

/** The refusals, also of the database. */
export const OBSTACLE_TEXT: Readonly<Record<StandingObstacle, string>> = {
  made_by_you: "You made this payout, its API key or its saved recipient; another member must approve it.",
  authority_too_new: "This payout is older than your authority to approve; another member must approve it.",
};

/** Cancellation at the gate (interface §4.3); throws `approval_required`, naming the status, anywhere else. */
export function decideCancel(intent: PayoutIntent, reason: string | null, now: Date): PlannedChange<PayoutIntent> {
  requireGate(intent, "cancelled");
  return movePayout(intent, "cancel", now, { code: "cancelled", message: reason }, [payoutRelease(intent)]);
}

/** Nobody approved within the allowed days: the payout is cancelled and its funds go back. */
export function decideLapse(intent: PayoutIntent, now: Date): Decision<PayoutIntent> {
  if (intent.status !== "requires_approval") return { kind: "ignored", reason: `the payout is ${intent.status}` };
  const message = `Not approved within ${APPROVAL_LAPSE_DAYS} days.`;
  return movePayout(intent, "lapse", now, { code: "cancelled", message }, [payoutRelease(intent)]);
}

/** Screening refuses the payout, which no provider has seen: it is cancelled and its funds go back. */
export function decideScreeningRefusal(intent: PayoutIntent, now: Date): Decision<PayoutIntent> {
  if (intent.status !== "processing") return { kind: "ignored", reason: `the payout is ${intent.status}` };
  const failure = { code: "cancelled", message: "Refused before it was sent." } as const;
  return movePayout(intent, "screening_refused", now, failure, [payoutRelease(intent)]);
}

/** The exception of a payout that the screener holds; it lasts until a person decides on the payout. */
export function screeningHold(
  payoutId: string,
  { reason, reference }: { readonly reason: string | null; readonly reference: string | null },
): ExceptionFact {
  const detail = { why: reason, screening_reference: reference };
  return { kind: "screening_hold", objectId: payoutId, fact: `screening_hold:${payoutId}`, detail };
}

function requireGate(intent: PayoutIntent, verb: "approved" | "cancelled"): void {
  if (intent.status === "requires_approval") return;
  throw new ServiceError(
    "approval_required",
    `The payout intent is ${intent.status}; only a payout intent in requires_approval can be ${verb}.`,
  );
}
