// Owns who changes approval policies: a member with a role for it, and only ever a member.
import { findMemberById } from "@/server/db/member-credentials";
import { ServiceError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { actOf } from "../audit/act";
import { requireAllowed } from "../members/roles";

/** The act of the calling member. Throws Forbidden without the role, approval_required for whoever is no member. */
export async function requireDecidingMember(context: CallContext) {
  const { scope, actor } = context;
  const member = actor.type === "member" ? await findMemberById(scope.merchantId, actor.id) : null;
  if (!member) throw new ServiceError("approval_required", "Only a member can change an approval policy.");
  requireAllowed(member, "decide_policies");
  return actOf(context);
}
