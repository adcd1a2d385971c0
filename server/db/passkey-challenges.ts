// Challenges for passkeys: each is used once, by the session or sign-in attempt that received it. They are no merchant's.
import { queryAcrossMerchants } from "./client";

export type ChallengePurpose = "enrol" | "sign_in" | "step_up";

export interface PasskeyChallenge {
  /** SHA-256 of the challenge. */
  readonly challengeHash: string;
  readonly purpose: ChallengePurpose;
  /** SHA-256 of what the challenge is bound to. */
  readonly bindingHash: string;
}

/** Stores a challenge and deletes expired ones, but for those that another session is deleting. */
export async function insertChallenge(
  { challengeHash, purpose, bindingHash }: PasskeyChallenge,
  { at, expiresAt }: { readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await queryAcrossMerchants(
    `WITH expired AS MATERIALIZED (
       SELECT challenge_hash FROM passkey_challenge WHERE expires_at <= $4::timestamptz FOR UPDATE SKIP LOCKED),
     deleted AS (DELETE FROM passkey_challenge c USING expired WHERE c.challenge_hash = expired.challenge_hash)
     INSERT INTO passkey_challenge (challenge_hash, purpose, binding_hash, created_at, expires_at)
     VALUES ($1, $2, $3, $4::timestamptz, $5::timestamptz)`,
    challengeHash,
    purpose,
    bindingHash,
    at,
    expiresAt,
  );
}

/** Uses a challenge up. Returns false if it is unknown, used, expired, or was given to another session or attempt. */
export async function takeChallenge(
  { challengeHash, purpose, bindingHash }: PasskeyChallenge,
  at: Date,
): Promise<boolean> {
  const taken = await queryAcrossMerchants(
    `DELETE FROM passkey_challenge
     WHERE challenge_hash = $1 AND purpose = $2 AND binding_hash = $3 AND expires_at > $4::timestamptz
     RETURNING challenge_hash`,
    challengeHash,
    purpose,
    bindingHash,
    at,
  );
  return taken.length > 0;
}
