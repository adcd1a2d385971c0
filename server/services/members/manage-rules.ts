// Who may change which member: owners may change anyone, admins everyone below admin, and one owner always remains.

import type { Member } from "@/server/db/members";
import { Forbidden, ServiceError, validationError } from "@/server/domain/errors";
import { mayApprove, ROLES, type Role, requireAllowed } from "@/server/domain/permissions";

/** Roles that only an owner may grant or revoke. Only an owner may change a member who has one. */
const OWNERS_GIVE: readonly Role[] = ["owner", "admin"];

interface Person {
  readonly id: string;
  readonly roles: readonly string[];
  readonly disabledAt: Date | null;
}

/** Deduplicates the requested roles. Throws validation_failed for an empty list or an unknown role. */
export function readRoles(wanted: readonly string[]): Role[] {
  const roles = ROLES.filter((role) => wanted.includes(role));
  if (roles.length === 0 || wanted.some((role) => !roles.includes(role as Role)))
    throw validationError("roles", `must be one or more of ${ROLES.join(", ")}`);
  return roles;
}

/** Throws Forbidden if an actor who is not an owner would affect an owner or admin. */
export function requireMayTouch(actor: Person | null, ...roles: readonly (readonly string[])[]): void {
  // Null is the operator, who created the first owner.
  if (actor === null || actor.roles.includes("owner")) return;
  if (roles.some((held) => OWNERS_GIVE.some((role) => held.includes(role))))
    throw new Forbidden("Only an owner can grant or revoke owner and admin, or change a member who has either role.");
}

interface Manager extends Person {
  readonly authorityFrom: Date;
}

interface ManagedMerchant {
  readonly actor: Person | null;
  readonly targetId: string;
  readonly managers: readonly Manager[];
  readonly formerManagers: readonly Person[];
}

/**
 * True if a member other than the actor and the target could confirm these roles: an active one who may give them and whose
 * authority counts already, or one who could until somebody put them out within the cool-down. The operator needs nobody.
 */
export function needsSecondPerson(
  { actor, targetId, managers, formerManagers }: ManagedMerchant,
  roles: readonly string[],
  at: Date,
): boolean {
  if (actor === null || !mayApprove(roles)) return false;
  const onlyOwners = roles.some((role) => OWNERS_GIVE.includes(role as Role));
  const isOther = ({ id }: Person) => id !== actor.id && id !== targetId;
  const mayConfirm = (one: Manager) => one.authorityFrom <= at && (!onlyOwners || one.roles.includes("owner"));
  return formerManagers.some(isOther) || managers.some((one) => isOther(one) && mayConfirm(one));
}

/** Throws Forbidden for a member who may not manage members any more, as when it took them long to prove their presence. */
export function requireStillManager(isMember: boolean, actor: Member | null): void {
  if (!isMember) return;
  if (!actor) throw new Forbidden("The member does not exist.");
  requireAllowed(actor, "manage_members", "live");
}

/** Throws if the change would remove the merchant's last active owner. */
export function requireOwnerLeft(managers: readonly Person[], target: Person): void {
  const owners = managers.filter(({ roles }) => roles.includes("owner"));
  if (owners.length !== 1 || owners[0]?.id !== target.id) return;
  throw new ServiceError("validation_failed", "member is the last owner: make another member an owner first");
}
