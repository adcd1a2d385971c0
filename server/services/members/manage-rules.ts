// Who may change which member: owners everybody, admins everybody below them, and an owner always remains.

import { Forbidden, ServiceError, validationError } from "@/server/domain/errors";
import { ROLES, type Role } from "@/server/domain/permissions";

/** Roles that only an owner gives, takes away, or changes the holder of. */
const OWNERS_GIVE: readonly Role[] = ["owner", "admin"];

interface Person {
  readonly id: string;
  readonly roles: readonly string[];
  readonly disabledAt: Date | null;
}

/** Roles as they were asked for, each once. Throws validation_failed for none or an unknown one. */
export function readRoles(wanted: readonly string[]): Role[] {
  const roles = ROLES.filter((role) => wanted.includes(role));
  if (roles.length === 0 || wanted.some((role) => !roles.includes(role as Role)))
    throw validationError("roles", `must be one or more of ${ROLES.join(", ")}`);
  return roles;
}

/** Throws Forbidden where somebody who is no owner would have a hand in the roles of owners or admins. */
export function requireMayTouch(actor: Person | null, ...roles: readonly (readonly string[])[]): void {
  // Null is the operator, who made the first owner.
  if (actor === null || actor.roles.includes("owner")) return;
  if (roles.some((held) => OWNERS_GIVE.some((role) => held.includes(role))))
    throw new Forbidden("Only an owner can give or take away owner and admin, or change somebody who is one.");
}

/** Throws when the change would leave a merchant that has an active owner without one. */
export function requireOwnerLeft(activeOwners: readonly string[], target: Person): void {
  if (activeOwners.length !== 1 || activeOwners[0] !== target.id) return;
  throw new ServiceError("validation_failed", "member is the last owner: make somebody else an owner first");
}
