// The life of an API key: usable, being replaced, or ended.

const API_KEY_STATES = ["active", "expiring", "expired", "revoked"] as const;
export type ApiKeyState = (typeof API_KEY_STATES)[number];

/** The longest time for which a key that is being replaced goes on, in seconds: a week. */
export const LONGEST_GRACE_SECONDS = 7 * 24 * 3_600;

interface ApiKeyLife {
  readonly revokedAt: Date | null;
  /** End of the grace period of a key that was rolled. */
  readonly expiresAt: Date | null;
}

/** What the key is at that instant. */
export function apiKeyStateAt({ revokedAt, expiresAt }: ApiKeyLife, at: Date): ApiKeyState {
  if (revokedAt !== null && revokedAt <= at) return "revoked";
  if (expiresAt === null) return "active";
  return expiresAt <= at ? "expired" : "expiring";
}
