// The keys of every purpose, derived by HKDF from the operator's secrets, newest first.
import { createHash, hkdfSync } from "node:crypto";

/** One key per purpose: a leak or weakness in one use does not affect another. */
export type KeyPurpose =
  | "api-key-pepper"
  | "account-encryption"
  | "account-digest"
  | "idempotency-fingerprint"
  | "cursor-mac"
  | "audit-chain"
  | "audit-facts"
  | "callback"
  | "proposal"
  | "webhook-secret"
  | "stored-answer"
  | "totp-secret"
  | "recovery-code"
  | "sign-in-count"
  | "known-device"
  | "session";

interface PurposeKey {
  /** Identifies the operator's secret of this key, so that stored data names its key. */
  readonly id: string;
  readonly key: Buffer;
}

export interface KeyRing {
  /** The newest key, for writing. */
  current(purpose: KeyPurpose): PurposeKey;
  /** Returns the key with an id found in stored data, or null if the operator has removed its secret. */
  byId(purpose: KeyPurpose, id: string): PurposeKey | null;
  /** Every key of a purpose, newest first. */
  all(purpose: KeyPurpose): readonly PurposeKey[];
}

/** Derives the ring from secrets of 32 bytes, newest first; to rotate, put a new one in front. */
export function createKeyRing(secrets: readonly Buffer[]): KeyRing {
  if (secrets.length === 0) throw new RangeError("a key ring needs at least one secret");
  const derived = new Map<KeyPurpose, readonly PurposeKey[]>();

  function all(purpose: KeyPurpose): readonly PurposeKey[] {
    const known = derived.get(purpose);
    if (known) return known;
    const keys = secrets.map((secret) => ({
      id: createHash("sha256").update("sluice key id").update(secret).digest("hex").slice(0, 8),
      key: Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), `sluice ${purpose}`, 32)),
    }));
    derived.set(purpose, keys);
    return keys;
  }

  return {
    all,
    current: (purpose) => all(purpose)[0] as PurposeKey,
    byId: (purpose, id) => all(purpose).find((key) => key.id === id) ?? null,
  };
}
