import { findMemberById } from "@/server/db/member-credentials";
import type { Member } from "@/server/db/members";
import { Forbidden } from "@/server/domain/errors";
import { type MemberAct, requireAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";

/** Reads the calling member. Returns null if the caller is not a member of the scope's merchant. */
export async function actingMember({ scope, actor }: CallContext): Promise<Member | null> {
  return actor.type === "member" ? findMemberById(scope.merchantId, actor.id) : null;
}

/** Throws Forbidden for a calling member whose roles do not allow the act. Callers of other kinds have no roles. */
export async function requireAllowedIfMember(context: CallContext, act: MemberAct): Promise<void> {
  if (context.actor.type !== "member") return;
  const member = await actingMember(context);
  if (!member) throw new Forbidden("The member does not exist.");
  requireAllowed(member, act, context.scope.environment);
}
