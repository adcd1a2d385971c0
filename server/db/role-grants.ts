// Proposals to give a member a role that approves: stored by one person, decided by another.
import type { Role } from "@/server/domain/permissions";
import { newId } from "@/server/platform/ids";
import type { Act } from "./audit/record";
import { query } from "./client";
import type { Transaction } from "./transaction";

/** What is proposed for a member: all roles that they then have, and whether they are enabled. */
export interface ProposedGrant {
  readonly roles: readonly Role[];
  readonly enables: boolean;
}

export interface RoleGrant extends ProposedGrant {
  readonly id: string;
  readonly memberId: string;
  readonly proposedById: string;
  readonly proposedAt: Date;
}

interface MemberKey {
  readonly merchantId: string;
  readonly memberId: string;
}

const COLUMNS = `id, member_id AS "memberId", roles, enables, proposed_by_id AS "proposedById", proposed_at AS "proposedAt"`;

/** The grants that wait for a decision, the oldest first. */
export function findOpenGrants(merchantId: string): Promise<RoleGrant[]> {
  const sql = `SELECT ${COLUMNS} FROM role_grant WHERE merchant_id = $1 AND state = 'proposed' ORDER BY proposed_at, id`;
  return query<RoleGrant>(sql, merchantId);
}

/** Stores a proposal by the acting member; returns its id. An earlier one for the same member is superseded. */
export async function insertGrant(
  transaction: Transaction,
  key: MemberKey,
  { roles, enables }: ProposedGrant,
  { actor, at }: Act,
): Promise<string> {
  await supersedeGrants(transaction, key, { actor, at });
  const id = newId("roleGrant");
  await transaction.query(
    `INSERT INTO role_grant (merchant_id, id, member_id, roles, enables, state, proposed_by_id, proposed_at)
     VALUES ($1, $2, $3, $4, $5, 'proposed', $6, $7::timestamptz)`,
    key.merchantId,
    id,
    key.memberId,
    roles,
    enables,
    actor.id,
    at,
  );
  return id;
}

/** Ends the member's open proposal: what it was to change was changed otherwise. */
export async function supersedeGrants(
  transaction: Transaction,
  { merchantId, memberId }: MemberKey,
  { actor, at }: Pick<Act, "actor" | "at">,
): Promise<void> {
  await transaction.query(
    `UPDATE role_grant SET state = 'superseded', decided_by_id = $3, decided_at = $4::timestamptz
     WHERE merchant_id = $1 AND member_id = $2 AND state = 'proposed'`,
    merchantId,
    memberId,
    actor.id,
    at,
  );
}

/** Records the acting member's verdict; false if the grant does not wait for one any more. */
export async function decideGrant(
  transaction: Transaction,
  merchantId: string,
  { id, verdict }: { readonly id: string; readonly verdict: "confirmed" | "rejected" },
  { actor, at }: Act,
): Promise<boolean> {
  const decided = await transaction.query(
    `UPDATE role_grant SET state = $3, decided_by_id = $4, decided_at = $5::timestamptz
     WHERE merchant_id = $1 AND id = $2 AND state = 'proposed' RETURNING id`,
    merchantId,
    id,
    verdict,
    actor.id,
    at,
  );
  return decided.length > 0;
}
