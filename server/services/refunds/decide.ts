// Confirms or rejects a refund of money in suspense: the second person.

import { isRefusedBy } from "@/server/db/failures";
import { findMemberById } from "@/server/db/member-credentials";
import { decideRefundRow, findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { Forbidden, merchantSuspendedError, ServiceError, validationError } from "@/server/domain/errors";
import { isAllowed, requireAllowed } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { differsFromProposal } from "../audit/proposal-digest";
import { decidingAct } from "../exceptions/decide";
import { isAsProposed } from "./digest";
import { requireMember } from "./require-member";

/**
 * Confirms a proposed refund; the worker then sends it. Throws not_found; Forbidden for a member who may not decide on exceptions
 * and approve payouts; approval_required for its proposer, for authority that is younger than the proposal, and where the
 * proposer may no longer propose; merchant_suspended; and validation_failed if it is decided or its row was edited.
 */
export async function confirmRefund(context: CallContext, id: string): Promise<StoredRefund> {
  const { scope, actor } = context;
  requireMember(context);
  const act = await decidingAct(context);
  const member = await findMemberById(scope.merchantId, actor.id);
  if (!member) throw new Forbidden("The member does not exist.");
  requireAllowed(member, "decide_payouts", scope.environment);
  const refund = await requireProposed(scope, id);
  if (refund.proposedBy === actor.id) throw refused("The person who proposed a refund cannot confirm it.");
  const proposer = await findMemberById(scope.merchantId, refund.proposedBy);
  if (!proposer || !isAllowed(proposer, "decide_exceptions", scope.environment)) throw refused(PROPOSER);
  if (!isAsProposed(refund)) throw differsFromProposal("id", "a refund");
  const confirmed = await decideRefundRow(refund, "confirmed", actor.id, act).catch((error: unknown) => {
    throw asRefusal(error);
  });
  if (!confirmed) throw decidedAlready();
  return confirmed;
}

/** Rejects a proposed refund; anyone who could have proposed it may. Throws not_found, Forbidden, and validation_failed once decided. */
export async function rejectRefund(context: CallContext, id: string): Promise<StoredRefund> {
  requireMember(context);
  const act = await decidingAct(context);
  const rejected = await decideRefundRow(await requireProposed(context.scope, id), "rejected", context.actor.id, act);
  if (!rejected) throw decidedAlready();
  return rejected;
}

async function requireProposed(scope: Scope, id: string): Promise<StoredRefund> {
  const refund = isId("suspenseRefund", id) ? await findRefund(scope, id) : null;
  if (!refund) throw new ServiceError("not_found", "There is no such refund.");
  if (refund.state !== "proposed") throw decidedAlready(refund.state);
  return refund;
}

function decidedAlready(state = "decided"): ServiceError {
  return validationError("id", `names a refund that is already ${state}`);
}

const PROPOSER = "The person who proposed the refund may no longer do so; reject it, and propose it again.";

function refused(message: string): ServiceError {
  return new ServiceError("approval_required", message);
}

function asRefusal(error: unknown): unknown {
  if (isRefusedBy(error, "suspense_refund_proposer_may_propose")) return refused(PROPOSER);
  if (isRefusedBy(error, "suspense_refund_two_people")) {
    return refused("The person who proposed a refund cannot confirm it.");
  }
  if (isRefusedBy(error, "suspense_refund_confirmer_may_confirm")) {
    return refused("Your authority is younger than the proposal; another person must confirm it.");
  }
  return isRefusedBy(error, "merchant_is_active") ? merchantSuspendedError() : error;
}
