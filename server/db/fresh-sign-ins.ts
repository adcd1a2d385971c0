// Fresh sign-ins at the OpenID provider: asked for by a session, proved by the provider, used up by one act.
import { query } from "./client";

interface FreshSignIn {
  readonly merchantId: string;
  /** SHA-256 of the id. */
  readonly idHash: string;
  /** The session that asked for it. */
  readonly sessionId: string;
}

/** Stores what a session asks for, and deletes the merchant's expired rows, but for those that another session is deleting. */
export async function insertFreshSignIn(
  { merchantId, idHash, sessionId }: FreshSignIn,
  { at, expiresAt }: { readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await query(
    `WITH expired AS MATERIALIZED (
       SELECT id_hash FROM fresh_sign_in WHERE merchant_id = $1 AND expires_at <= $4::timestamptz FOR UPDATE SKIP LOCKED),
     deleted AS (DELETE FROM fresh_sign_in f USING expired WHERE f.merchant_id = $1 AND f.id_hash = expired.id_hash)
     INSERT INTO fresh_sign_in (merchant_id, id_hash, session_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4::timestamptz, $5::timestamptz)`,
    merchantId,
    idHash,
    sessionId,
    at,
    expiresAt,
  );
}

/** Returns true if the session asked for it, and nothing has proved it yet. */
export async function isAwaited({ merchantId, idHash, sessionId }: FreshSignIn, at: Date): Promise<boolean> {
  const found = await query(
    `SELECT FROM fresh_sign_in WHERE merchant_id = $1 AND id_hash = $2 AND session_id = $3
       AND proved_at IS NULL AND expires_at > $4::timestamptz`,
    merchantId,
    idHash,
    sessionId,
    at,
  );
  return found.length > 0;
}

/** Marks it as proved. Returns false if it is unknown, proved or expired, or was asked for after `askedBefore`. */
export async function proveFreshSignIn(
  { merchantId, idHash, sessionId }: FreshSignIn,
  { at, askedBefore }: { readonly at: Date; readonly askedBefore: Date },
): Promise<boolean> {
  const proved = await query(
    `UPDATE fresh_sign_in SET proved_at = $4::timestamptz
     WHERE merchant_id = $1 AND id_hash = $2 AND session_id = $3
       AND proved_at IS NULL AND expires_at > $4::timestamptz AND created_at <= $5::timestamptz
     RETURNING id_hash`,
    merchantId,
    idHash,
    sessionId,
    at,
    askedBefore,
  );
  return proved.length > 0;
}

/** Uses a proved one up. Returns false if it is unknown, not proved, used or expired, or belongs to another session. */
export async function takeFreshSignIn({ merchantId, idHash, sessionId }: FreshSignIn, at: Date): Promise<boolean> {
  const taken = await query(
    `DELETE FROM fresh_sign_in WHERE merchant_id = $1 AND id_hash = $2 AND session_id = $3
       AND proved_at IS NOT NULL AND expires_at > $4::timestamptz
     RETURNING id_hash`,
    merchantId,
    idHash,
    sessionId,
    at,
  );
  return taken.length > 0;
}
