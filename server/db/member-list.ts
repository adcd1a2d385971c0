// Everybody of a merchant, with what managers see of how they sign in.
import { query } from "./client";
import type { Member } from "./members";

export interface ListedMember extends Member {
  /** False for a member who has not chosen a password yet. */
  readonly hasPassword: boolean;
  /** True for a member who has signed in with an OpenID provider. */
  readonly hasIdentity: boolean;
  readonly hasPasskey: boolean;
  /** True with one-time codes that a first code confirmed. */
  readonly hasCodes: boolean;
  /** When the member's unused one-time link expires, or did; null without one. */
  readonly linkExpiresAt: Date | null;
  readonly createdAt: Date;
  /** When they last signed in; null if never. */
  readonly lastSignInAt: Date | null;
  /** When one of their sessions was last used, to the minute; null where they never signed in. */
  readonly lastSeenAt: Date | null;
  /** Sessions that have not ended and were used lately. */
  readonly openSessions: number;
}

const OF_MEMBER = (alias: string) => `${alias}.merchant_id = m.merchant_id AND ${alias}.member_id = m.id`;

/** Everybody of the merchant, active ones first, then by address. A session last used by `usedSince` is not open any more. */
export function listMembers(
  merchantId: string,
  { at, usedSince }: { readonly at: Date; readonly usedSince: Date },
): Promise<ListedMember[]> {
  return query<ListedMember>(
    `SELECT m.id, m.merchant_id AS "merchantId", m.email, m.name, m.roles, m.test_roles AS "testRoles",
            m.disabled_at AS "disabledAt", m.password_hash IS NOT NULL AS "hasPassword",
            EXISTS (SELECT FROM member_identity i WHERE ${OF_MEMBER("i")}) AS "hasIdentity",
            EXISTS (SELECT FROM member_passkey p WHERE ${OF_MEMBER("p")}) AS "hasPasskey",
            EXISTS (SELECT FROM member_totp t WHERE ${OF_MEMBER("t")} AND t.confirmed_at IS NOT NULL) AS "hasCodes",
            (SELECT expires_at FROM one_time_link l WHERE ${OF_MEMBER("l")} AND l.used_at IS NULL) AS "linkExpiresAt",
            m.created_at AS "createdAt", s.entered AS "lastSignInAt", s.seen AS "lastSeenAt", s.open AS "openSessions"
     FROM member m CROSS JOIN LATERAL (
       SELECT max(created_at) AS entered, max(last_seen_at) AS seen, count(*) FILTER (
         WHERE revoked_at IS NULL AND expires_at > $2::timestamptz AND last_seen_at > $3::timestamptz)::int AS open
       FROM member_session s WHERE ${OF_MEMBER("s")}
     ) s
     WHERE m.merchant_id = $1 ORDER BY m.disabled_at IS NOT NULL, m.email`,
    merchantId,
    at,
    usedSince,
  );
}
