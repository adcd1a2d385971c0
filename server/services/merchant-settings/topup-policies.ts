// What becomes of top-ups that are not paid as quoted. In test an owner sets it; in live one proposes, and another owner or
// admin confirms. The spread, the fee and crediting late money cost the operator, who alone sets them.

import { actOf } from "@/server/db/audit/record";
import { isRefusedBy } from "@/server/db/failures";
import {
  decideTopupPolicies,
  findOpenProposal,
  insertTopupPolicyProposal,
  type TopupPolicyProposal,
} from "@/server/db/topup-policy-proposals";
import { updateTopupTerms } from "@/server/db/topup-terms";
import { notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import { requireAllowed, rolesFor } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { newId } from "@/server/platform/ids";
import { differsFromProposal, matchesProposal, proposalDigest } from "../audit/proposal-digest";
import { actingMember } from "../members/acting-member";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { requireOwner } from "./general";

/** Version of the digested text; change it with the format. */
const FORM = "sluice-topup-policies-1";

type Proposed = Omit<TopupPolicyProposal, "digest">;

function textOf(
  { merchantId, environment }: Scope,
  { id, replaced, wanted, proposedById, proposedAt }: Proposed,
): string {
  return JSON.stringify([
    FORM,
    merchantId,
    environment,
    id,
    listOf(replaced),
    listOf(wanted),
    proposedById,
    proposedAt,
  ]);
}

const listOf = ({ overpayment, underpayment, latePayment }: TopupPolicies) => [overpayment, underpayment, latePayment];

const isSame = (one: TopupPolicies, other: TopupPolicies) =>
  listOf(one).every((policy, index) => policy === listOf(other)[index]);

/** Throws validation_failed if late money would be credited at a rate that has ended, which the operator would pay for. */
function requireOwn(wanted: TopupPolicies, present: TopupPolicies): void {
  if (wanted.latePayment !== "credit_actual" || present.latePayment === "credit_actual") return;
  throw validationError("late_payment", "must be hold or refund; only the operator lets late payments be credited");
}

/** The proposal that awaits another person, or null. */
export function openProposal(scope: Scope): Promise<TopupPolicyProposal | null> {
  return findOpenProposal(scope);
}

/**
 * Sets the policies of new top-ups in test, or proposes them in live; true if they are in effect. Throws Forbidden for a
 * caller who is not an owner, and validation_failed for policies that are in effect already, that only the operator sets,
 * and while another proposal is open.
 */
export async function changeTopupPolicies(context: CallContext, wanted: TopupPolicies): Promise<boolean> {
  const { scope } = context;
  const act = await requireOwner(context);
  if (scope.environment === "test") {
    const decide = (present: TopupPolicies) => {
      requireOwn(wanted, present);
      return wanted;
    };
    if (!(await updateTopupTerms(scope, decide, act))) throw notFoundError();
    forgetMerchantSettings(scope.merchantId);
    return true;
  }
  const replaced = (await merchantSettings(scope.merchantId)).topupTerms[scope.environment];
  requireOwn(wanted, replaced);
  if (isSame(wanted, replaced)) throw validationError("policies", "are in effect already");
  const proposed = {
    id: newId("topupPolicyProposal"),
    replaced,
    wanted,
    proposedById: act.actor.id,
    proposedAt: act.at,
  };
  try {
    await insertTopupPolicyProposal(scope, { ...proposed, digest: proposalDigest(textOf(scope, proposed)) }, act);
  } catch (error) {
    if (!isRefusedBy(error, "topup_policy_proposal_one_proposed")) throw error;
    throw validationError("policies", "cannot be proposed: another proposal is open; confirm or reject it first");
  }
  return false;
}

async function decide(context: CallContext, id: string, verdict: "confirmed" | "rejected"): Promise<void> {
  const { scope } = context;
  const member = await actingMember(context);
  if (!member) throw new ServiceError("approval_required", "Only a member can decide on top-up terms.");
  requireAllowed(member, "decide_settings", scope.environment);
  const check = (proposal: TopupPolicyProposal, present: TopupPolicies) => {
    if (!matchesProposal(proposal.digest, textOf(scope, proposal))) throw differsFromProposal("id", "a proposal");
    if (!isSame(proposal.replaced, present))
      throw validationError("id", "names a proposal to change other terms than are in effect; reject it");
    requireOwn(proposal.wanted, present);
  };
  const decision = { id, verdict, roles: rolesFor("decide_settings"), check };
  if (!(await decideTopupPolicies(scope, decision, actOf(context)))) throw await whyNot(scope, id);
  forgetMerchantSettings(scope.merchantId);
}

async function whyNot(scope: Scope, id: string): Promise<ServiceError> {
  if ((await findOpenProposal(scope))?.id !== id) return notFoundError();
  return new ServiceError(
    "approval_required",
    "Another owner or admin must confirm it: neither who proposed it, nor one whose authority is newer than the proposal.",
  );
}

/**
 * Puts proposed policies into effect for top-ups created from now on. Throws not_found if the proposal is not open,
 * approval_required for the proposer and for newer authority, Forbidden without the role, and validation_failed if it, or
 * the terms in effect, differ from what was proposed.
 */
export function confirmTopupPolicies(context: CallContext, id: string): Promise<void> {
  return decide(context, id, "confirmed");
}

/** Rejects a proposal for good; the proposer may. Throws not_found if it is not open, and Forbidden without the role. */
export function rejectTopupPolicies(context: CallContext, id: string): Promise<void> {
  return decide(context, id, "rejected");
}
