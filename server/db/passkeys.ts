// Passkeys at rest: the public keys of members' credentials, and their signature counters.
import type { Authority } from "@/server/domain/authority";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { restartAuthority } from "./member-totp";
import { endOtherSessions, lockMember } from "./sessions";
import type { Transaction } from "./transaction";

interface MemberKey {
  readonly merchantId: string;
  readonly memberId: string;
}

export interface NewPasskey extends MemberKey {
  readonly id: string;
  readonly name: string;
  /** The authenticator's id of the credential, in base64url. */
  readonly credentialId: string;
  /** In COSE format. */
  readonly publicKey: Uint8Array;
  /** Signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Passkey extends NewPasskey {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `p.merchant_id AS "merchantId", p.id, p.member_id AS "memberId", p.name,
  p.credential_id AS "credentialId", p.public_key AS "publicKey", p.counter::float8 AS counter, p.transports,
  p.created_at AS "createdAt", p.last_used_at AS "lastUsedAt"`;

/** Returns the member's passkeys, oldest first. */
export function listPasskeys({ merchantId, memberId }: MemberKey): Promise<Passkey[]> {
  return query<Passkey>(
    `SELECT ${COLUMNS} FROM member_passkey p WHERE p.merchant_id = $1 AND p.member_id = $2 ORDER BY p.id`,
    merchantId,
    memberId,
  );
}

/** A passkey with the member who has it. */
export interface OwnedPasskey extends Passkey {
  readonly disabledAt: Date | null;
  /** The member's; it advances when sessions of the member are ended. */
  readonly accessVersion: number;
}

/** Finds the passkey of a credential. A visitor names no merchant, so it is looked up in all. Returns null if not found. */
export async function findPasskeyAcrossMerchants(credentialId: string): Promise<OwnedPasskey | null> {
  const [passkey] = await queryAcrossMerchants<OwnedPasskey>(
    `SELECT ${COLUMNS}, m.disabled_at AS "disabledAt", m.access_version AS "accessVersion"
     FROM member_passkey p JOIN member m ON m.merchant_id = p.merchant_id AND m.id = p.member_id
     WHERE p.credential_id = $1`,
    credentialId,
  );
  return passkey ?? null;
}

/** Stores a passkey with an audit entry, and ends the member's other sessions. Returns false if the credential is known. */
export async function insertPasskey(passkey: NewPasskey, keepSession: string, act: Act): Promise<boolean> {
  const { merchantId, memberId, id, name } = passkey;
  return inTransaction(async (transaction) => {
    await lockMember(transaction, { merchantId, memberId });
    const inserted = await transaction.query(
      `INSERT INTO member_passkey (merchant_id, id, member_id, name, credential_id, public_key, counter, transports,
                                   created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz) ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
      merchantId,
      id,
      memberId,
      name,
      passkey.credentialId,
      Buffer.from(passkey.publicKey),
      passkey.counter,
      passkey.transports,
      act.at,
    );
    if (inserted.length === 0) return false;
    const ended = await endOtherSessions(transaction, { merchantId, memberId, keepSession }, act.at);
    const change = { merchantId, environment: null, action: "member.passkey_enrol", objectId: memberId, before: null };
    await recordChange(transaction, { ...change, after: { passkey_id: id, name, sessions_ended: ended } }, act);
    return true;
  });
}

/**
 * Stores the counter of a use. Returns false if it has not advanced, as after a use of a copied authenticator; both are 0
 * where the authenticator does not count. Of two uses with the same counter one is refused.
 */
export async function advanceCounter(
  { merchantId, id }: Pick<Passkey, "merchantId" | "id">,
  counter: number,
  at: Date,
): Promise<boolean> {
  const advanced = await query(
    `UPDATE member_passkey SET counter = $3, last_used_at = $4::timestamptz
     WHERE merchant_id = $1 AND id = $2 AND (counter < $3 OR counter = 0 AND $3 = 0) RETURNING id`,
    merchantId,
    id,
    counter,
    at,
  );
  return advanced.length > 0;
}

/** Removes one of the member's passkeys, with an audit entry, and ends their other sessions. Returns false if not found. */
export async function deletePasskey(member: MemberKey, id: string, keepSession: string, act: Act): Promise<boolean> {
  return inTransaction(
    async (transaction) => (await removeWithin(transaction, { ...member, id, keepSession }, act)) > 0,
  );
}

/** Removes all passkeys of a member and ends their sessions; their authority then counts from the given times; returns how many there were. */
export async function deletePasskeys(member: MemberKey, authority: Authority, act: Act): Promise<number> {
  return inTransaction(async (transaction) => {
    const removed = await removeWithin(transaction, { ...member, id: null, keepSession: "" }, act);
    if (removed > 0) await restartAuthority(transaction, member, authority);
    return removed;
  });
}

interface Removal extends MemberKey {
  /** Null for all of them. */
  readonly id: string | null;
  /** The one session that goes on: others may have been opened with the passkey. */
  readonly keepSession: string;
}

async function removeWithin(
  transaction: Transaction,
  { merchantId, memberId, id, keepSession }: Removal,
  act: Act,
): Promise<number> {
  await lockMember(transaction, { merchantId, memberId });
  const removed = await transaction.query<{ id: string; name: string }>(
    `DELETE FROM member_passkey WHERE merchant_id = $1 AND member_id = $2 AND ($3::text IS NULL OR id = $3)
     RETURNING id, name`,
    merchantId,
    memberId,
    id,
  );
  if (removed.length > 0) await endOtherSessions(transaction, { merchantId, memberId, keepSession }, act.at);
  const change = { merchantId, environment: null, action: "member.passkey_remove", objectId: memberId, after: null };
  for (const { id: passkeyId, name } of removed)
    await recordChange(transaction, { ...change, before: { passkey_id: passkeyId, name } }, act);
  return removed.length;
}
