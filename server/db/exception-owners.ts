// Who owns an exception: the one whom it is assigned to, by themselves or by a colleague.
import { NOBODY } from "@/server/domain/exceptions";
import type { Role } from "@/server/domain/permissions";
import type { Environment, Scope } from "@/server/domain/scope";
import type { Act } from "./audit/record";
import { inTransaction, query } from "./client";
import {
  changeException,
  EXCEPTION_COLUMNS,
  type ExceptionRow,
  exceptionFromRow,
  type StoredException,
} from "./exceptions";
import type { Transaction } from "./transaction";

/** Whom an exception is assigned to: a member in one of the roles, or nobody. */
export type Assignment = { readonly ownerId: string; readonly roles: readonly Role[] } | { readonly ownerId: null };

/**
 * Makes the member its owner, with an audit entry; without one where it is so already. Null if it is resolved, "not_allowed"
 * if the member is not an active one in the roles when it is written.
 */
export function assignException(
  exception: StoredException,
  assignment: Assignment,
  verb: "take" | "assign",
  act: Act,
): Promise<StoredException | "not_allowed" | null> {
  const { id, environment } = exception;
  const merchantId = exception.merchantId ?? NOBODY;
  const { ownerId } = assignment;
  return inTransaction(async (transaction) => {
    // Locked: of two at once, the audit log must say whom the second one took it from.
    const [locked] = await transaction.query<ExceptionRow>(
      `SELECT ${EXCEPTION_COLUMNS} FROM exception WHERE merchant_id = $1 AND id = $2 AND resolved_at IS NULL FOR UPDATE`,
      merchantId,
      id,
    );
    if (!locked) return null;
    if (locked.owner_id === ownerId) return exceptionFromRow(locked);
    if (assignment.ownerId !== null && !(await mayOwn(transaction, merchantId, environment, assignment)))
      return "not_allowed";
    const by = ownerId === null ? [null, null] : [act.actor.id, act.at];
    const set = { sql: "owner_id = $3, assigned_by = $4, assigned_at = $5::timestamptz", values: [ownerId, ...by] };
    return changeException(transaction, exceptionFromRow(locked), { verb, set, after: { owner_id: ownerId } }, act);
  });
}

/** True for an active member in one of the roles; the lock keeps it true until the commit. */
async function mayOwn(
  transaction: Transaction,
  merchantId: string,
  environment: Environment,
  { ownerId, roles }: Extract<Assignment, { readonly ownerId: string }>,
): Promise<boolean> {
  const members = await transaction.query<unknown>(
    `SELECT FROM member m WHERE merchant_id = $1 AND id = $2 AND disabled_at IS NULL AND roles_in(m, $3) && $4::text[]
     FOR SHARE`,
    merchantId,
    ownerId,
    environment,
    roles,
  );
  return members.length === 1;
}

/** A member whom exceptions can be assigned to, or who owns open ones. */
export interface ExceptionOwner {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  /** False for a member who owns open exceptions, and is disabled or lost the role. */
  readonly mayOwn: boolean;
}

/** The merchant's active members in one of the roles, and those others who own open exceptions; by address. */
export function findExceptionOwners(scope: Scope, roles: readonly Role[]): Promise<ExceptionOwner[]> {
  return query<ExceptionOwner>(
    `SELECT id, name, email, "mayOwn" FROM (
       SELECT m.id, m.name, m.email, m.disabled_at IS NULL AND roles_in(m, $2) && $3::text[] AS "mayOwn" FROM member m
       WHERE m.merchant_id = $1) person
     WHERE "mayOwn" OR EXISTS (SELECT FROM exception x
       WHERE x.merchant_id = $1 AND x.environment = $2 AND x.owner_id = person.id AND x.resolved_at IS NULL)
     ORDER BY email`,
    scope.merchantId,
    scope.environment,
    roles,
  );
}
