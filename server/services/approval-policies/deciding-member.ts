// Who changes approval policies: a member with a role for it, and only ever a member.
import { actOf } from "@/server/db/audit/record";
import { ServiceError } from "@/server/domain/errors";
import { requireAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { actingMember } from "../members/acting-member";

/** The act of the calling member. Throws Forbidden without the role, approval_required for whoever is no member. */
export async function requireDecidingMember(context: CallContext) {
  const member = await actingMember(context);
  if (!member) throw new ServiceError("approval_required", "Only a member can change an approval policy.");
  requireAllowed(member, "decide_policies");
  return actOf(context);
}
