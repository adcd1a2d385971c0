// The life of an API key: usable, being replaced, or ended.
import type { KeyScope } from "./key-scopes";

const API_KEY_STATES = ["active", "expiring", "expired", "revoked"] as const;
export type ApiKeyState = (typeof API_KEY_STATES)[number];

/** The longest time for which a key that is being replaced goes on, in seconds: a week. */
export const LONGEST_GRACE_SECONDS = 7 * 24 * 3_600;

/** The most networks that a key can be limited to. */
export const MOST_KEY_NETWORKS = 20;

/** What limits a key from its creation on; null is no limit. A key that replaces another has the same limits. */
export interface KeyLimits {
  readonly scopes: readonly KeyScope[] | null;
  /** CIDRs from which the key works. */
  readonly networks: readonly string[] | null;
  /** The expiry that was chosen at creation. */
  readonly validUntil: Date | null;
}

export const NO_LIMITS: KeyLimits = { scopes: null, networks: null, validUntil: null };

interface ApiKeyLife {
  readonly revokedAt: Date | null;
  /** End of the grace period of a key that was rolled. */
  readonly expiresAt: Date | null;
  readonly validUntil: Date | null;
}

/** What the key is at that instant. */
export function apiKeyStateAt({ revokedAt, expiresAt, validUntil }: ApiKeyLife, at: Date): ApiKeyState {
  if (revokedAt !== null && revokedAt <= at) return "revoked";
  if (isOver(expiresAt, at) || isOver(validUntil, at)) return "expired";
  return expiresAt === null ? "active" : "expiring";
}

function isOver(end: Date | null, at: Date): boolean {
  return end !== null && end <= at;
}

/** When the key ends: after its grace period or at its chosen expiry, whichever comes first. Null if never. */
export function keyEnd({ expiresAt, validUntil }: Omit<ApiKeyLife, "revokedAt">): Date | null {
  if (expiresAt === null || validUntil === null) return expiresAt ?? validUntil;
  return expiresAt < validUntil ? expiresAt : validUntil;
}
