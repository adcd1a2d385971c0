// Grants of roles that approve: one person proposes them, another confirms or rejects them.
import { GrantNotOpen, type Manager, type MemberPatch } from "@/server/db/member-changes";
import type { Member } from "@/server/db/members";
import { findOpenGrants, type RoleGrant } from "@/server/db/role-grants";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { change } from "./manage";
import { requireMayTouch } from "./manage-rules";

export type OpenGrant = RoleGrant;

/** The merchant's grants that wait for a decision, the oldest first. */
export function listOpenGrants(merchantId: string): Promise<OpenGrant[]> {
  return findOpenGrants(merchantId);
}

/**
 * Gives the member the proposed roles, as the calling member. Their authority counts from now on, in live after the
 * cool-down. Throws not_found when the grant is not open, approval_required for the proposer, the member concerned and a
 * caller whose own authority is newer than the proposal, Forbidden for a caller who may not give the roles.
 */
export function confirmGrant(context: CallContext, id: string): Promise<Member> {
  return decide(context, id, (grant, actor, target, given) => {
    requireSecondPerson(grant, actor);
    const before = { roles: target.roles, ...(grant.enables && { disabled_at: target.disabledAt }) };
    const after = { roles: grant.roles, ...(grant.enables && { disabled_at: null }) };
    const data = { roles: [...grant.roles], authority: given, ...(grant.enables && { disabledAt: null }) };
    const verdict = { id, verdict: "confirmed" } as const;
    return { action: "member.confirm_grant", data, grant: verdict, before, after, endsSessions: false };
  });
}

/** Rejects the grant for good; the proposer may. Throws not_found when it is not open, and Forbidden. */
export function rejectGrant(context: CallContext, id: string): Promise<Member> {
  return decide(context, id, (grant) => {
    const verdict = { id, verdict: "rejected" } as const;
    const before = { roles: grant.roles };
    return { action: "member.reject_grant", data: {}, grant: verdict, before, after: {}, endsSessions: false };
  });
}

type Given = NonNullable<MemberPatch["data"]["authority"]>;

async function decide(
  context: CallContext,
  id: string,
  patchOf: (grant: RoleGrant, actor: Manager, target: Member, given: Given) => MemberPatch,
): Promise<Member> {
  const grant = (await findOpenGrants(context.scope.merchantId)).find((one) => one.id === id);
  if (!grant) throw notFoundError();
  return change(context, grant.memberId, ({ target, actor, managers }, given) => {
    const manager = managers.find((one) => one.id === actor?.id);
    if (!manager) throw new ServiceError("approval_required", "Only an active owner or admin can decide on a role.");
    requireMayTouch(manager, target.roles, grant.roles);
    return patchOf(grant, manager, target, given);
  }).catch((error: unknown) => {
    throw error instanceof GrantNotOpen ? notFoundError() : error;
  });
}

function requireSecondPerson(grant: RoleGrant, { id, authorityFrom }: Manager): void {
  if (id === grant.proposedById || id === grant.memberId)
    throw new ServiceError("approval_required", "Another owner or admin must confirm the role.");
  if (authorityFrom > grant.proposedAt)
    throw new ServiceError(
      "approval_required",
      "The proposal is older than your authority; another owner or admin must confirm the role.",
    );
}
