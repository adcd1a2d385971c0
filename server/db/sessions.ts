// The sessions of members: opened by a sign-in, checked by every request, ended by the member or by time.
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import type { Transaction } from "./transaction";

/**
 * How a member signs in. A passkey is two factors: the authenticator, and the person it verifies. For single sign-on the
 * provider says how many it checked.
 */
export type SignInMethod = "password" | "passkey" | "single_sign_on" | "single_sign_on_two_factors";

export interface NewSession {
  readonly merchantId: string;
  readonly id: string;
  readonly memberId: string;
  /** Where the member signed in from; empty when unknown. */
  readonly address: string;
  /** The browser's User-Agent; at most 512 characters. */
  readonly userAgent: string;
  readonly method: SignInMethod;
  readonly expiresAt: Date;
  /** The member's, as it was when they proved who they are. */
  readonly accessVersion: number;
}

/** A session with the member it belongs to, as of now. */
export interface SessionRow {
  readonly memberId: string;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly string[];
  readonly testRoles: readonly string[] | null;
  readonly disabledAt: Date | null;
  readonly merchantName: string;
  /** The merchant requires a second factor to sign in, and this sign-in had none. */
  readonly mustEnrol: boolean;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/**
 * Stores a session, with an audit entry. Returns false if the member is disabled, or if sessions were ended since the
 * sign-in read `accessVersion`.
 */
export async function insertSession(session: NewSession, act: Act): Promise<boolean> {
  const { merchantId, memberId } = session;
  return inTransaction(async (transaction) => {
    const inserted = await transaction.query(
      `WITH entering AS (
         SELECT id FROM member WHERE merchant_id = $1 AND id = $3 AND disabled_at IS NULL AND access_version = $9
         FOR SHARE
       )
       INSERT INTO member_session (merchant_id, id, member_id, address, created_at, last_seen_at, expires_at,
                                   user_agent, method)
       SELECT $1, $2, id, $4, $5::timestamptz, $5::timestamptz, $6::timestamptz, $7, $8 FROM entering RETURNING id`,
      merchantId,
      session.id,
      memberId,
      session.address,
      act.at,
      session.expiresAt,
      session.userAgent,
      session.method,
      session.accessVersion,
    );
    if (inserted.length === 0) return false;
    const change = { merchantId, environment: null, action: "member.sign_in", objectId: memberId, before: null };
    await recordChange(transaction, { ...change, after: { session_id: session.id, method: session.method } }, act);
    return true;
  });
}

/**
 * When a session of `member_session` ended before its time; null if it did not. A merchant's move ends them all, also where it
 * could not write that because the table was locked.
 */
const endOf = (session: string): string => `coalesce(${session}.revoked_at, (
  SELECT a.since FROM merchant_stay a WHERE a.merchant = ${session}.merchant_id AND a.since > ${session}.created_at))`;

/** The session of an id with its member, or null. */
export async function findSession(merchantId: string, id: string): Promise<SessionRow | null> {
  const [row] = await query<{
    member_id: string;
    email: string;
    name: string | null;
    roles: string[];
    test_roles: string[] | null;
    disabled_at: Date | null;
    merchant_name: string;
    must_enrol: boolean;
    last_seen_at: Date;
    expires_at: Date;
    revoked_at: Date | null;
  }>(
    `SELECT s.member_id, m.email, m.name, m.roles, m.test_roles, m.disabled_at, c.name AS merchant_name, s.last_seen_at,
            s.expires_at, ${endOf("s")} AS revoked_at,
            c.totp_required_to_sign_in AND (s.method = 'single_sign_on'
              OR s.method = 'password' AND t.confirmed_at IS NULL) AS must_enrol
     FROM member_session s
     JOIN member m ON m.merchant_id = s.merchant_id AND m.id = s.member_id
     JOIN merchant c ON c.id = s.merchant_id
     LEFT JOIN member_totp t ON t.merchant_id = s.merchant_id AND t.member_id = s.member_id
     WHERE s.merchant_id = $1 AND s.id = $2`,
    merchantId,
    id,
  );
  if (!row) return null;
  return {
    memberId: row.member_id,
    email: row.email,
    name: row.name,
    roles: row.roles,
    testRoles: row.test_roles,
    disabledAt: row.disabled_at,
    merchantName: row.merchant_name,
    mustEnrol: row.must_enrol,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

export interface OpenSession extends Pick<NewSession, "id" | "address" | "userAgent"> {
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** The member's sessions that have not ended and were used since, last used first. */
export function listOpenSessions(
  { merchantId, memberId }: { readonly merchantId: string; readonly memberId: string },
  { at, usedSince }: { readonly at: Date; readonly usedSince: Date },
): Promise<OpenSession[]> {
  return query<OpenSession>(
    `SELECT id, address, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
     FROM member_session s
     WHERE merchant_id = $1 AND member_id = $2 AND ${endOf("s")} IS NULL AND expires_at > $3::timestamptz
       AND last_seen_at > $4::timestamptz
     ORDER BY last_seen_at DESC, id DESC`,
    merchantId,
    memberId,
    at,
    usedSince,
  );
}

/** Notes that the session was used; never moves backwards. */
export async function touchSession(merchantId: string, id: string, at: Date): Promise<void> {
  await query(
    `UPDATE member_session SET last_seen_at = $3::timestamptz
     WHERE merchant_id = $1 AND id = $2 AND last_seen_at < $3::timestamptz AND revoked_at IS NULL`,
    merchantId,
    id,
    at,
  );
}

/** Locks the member, as every change of access does first, so that two changes never wait for each other. */
export async function lockMember(
  transaction: Transaction,
  { merchantId, memberId }: { readonly merchantId: string; readonly memberId: string },
): Promise<void> {
  await transaction.query("SELECT FROM member WHERE merchant_id = $1 AND id = $2 FOR UPDATE", merchantId, memberId);
}

/** Makes sign-ins of the member that are under way open no session. */
async function endSignIns(
  transaction: Transaction,
  { merchantId, memberId }: { readonly merchantId: string; readonly memberId: string },
): Promise<void> {
  const sql = "UPDATE member SET access_version = access_version + 1 WHERE merchant_id = $1 AND id = $2";
  await transaction.query(sql, merchantId, memberId);
}

/**
 * Ends the member's open sessions but one, and sign-ins that are under way, within a change that has its own audit entry.
 * Returns how many sessions it ended.
 */
export async function endOtherSessions(
  transaction: Transaction,
  {
    merchantId,
    memberId,
    keepSession,
  }: {
    readonly merchantId: string;
    readonly memberId: string;
    /** Empty to end all. */
    readonly keepSession: string;
  },
  at: Date,
): Promise<number> {
  await endSignIns(transaction, { merchantId, memberId });
  const ended = await transaction.query(
    `UPDATE member_session SET revoked_at = $4::timestamptz
     WHERE merchant_id = $1 AND member_id = $2 AND revoked_at IS NULL AND id <> $3 RETURNING id`,
    merchantId,
    memberId,
    keepSession,
    at,
  );
  return ended.length;
}

/** Ends the member's open sessions, only the one of `id`, or all but `except`, with an audit entry; gives how many. */
export async function revokeSessions(
  member: {
    readonly merchantId: string;
    readonly memberId: string;
    readonly id: string | null;
    readonly except?: string;
  },
  act: Act,
): Promise<number> {
  const { merchantId, memberId, id, except = "" } = member;
  return inTransaction(async (transaction) => {
    if (id === null) await endSignIns(transaction, { merchantId, memberId });
    const revoked = await transaction.query(
      `UPDATE member_session SET revoked_at = $4::timestamptz
       WHERE merchant_id = $1 AND member_id = $2 AND ($3::text IS NULL OR id = $3) AND id <> $5
         AND revoked_at IS NULL RETURNING id`,
      merchantId,
      memberId,
      id,
      act.at,
      except,
    );
    if (revoked.length > 0) {
      const change = { merchantId, environment: null, action: "member.sign_out", objectId: memberId, before: null };
      await recordChange(transaction, { ...change, after: { session_id: id, ended: revoked.length } }, act);
    }
    return revoked.length;
  });
}

/**
 * Deletes up to `count` sessions that expired over `days` ago; returns how many. A member's last session stays: it says when
 * the member was last seen.
 */
export async function reapSessionsAcrossMerchants(days: number, count: number): Promise<number> {
  const rows = await queryAcrossMerchants(
    `WITH old AS MATERIALIZED (
       SELECT s.merchant_id, s.id FROM member_session s
       WHERE s.expires_at < now() - $1::int * interval '1 day' AND EXISTS (
         SELECT FROM member_session o WHERE o.merchant_id = s.merchant_id AND o.member_id = s.member_id
           AND (o.last_seen_at, o.id) > (s.last_seen_at, s.id))
       ORDER BY s.expires_at LIMIT $2 FOR UPDATE OF s SKIP LOCKED)
     DELETE FROM member_session s USING old WHERE s.merchant_id = old.merchant_id AND s.id = old.id
     RETURNING s.id`,
    days,
    count,
  );
  return rows.length;
}
