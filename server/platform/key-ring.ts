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
  | "person-cell"
  | "known-device"
  | "session";

/**
 * Purposes of digests in records that never change. They can have secrets of their own, so that a secret that must not
 * open anything any more still verifies old records.
 */
const RECORD_PURPOSES: readonly KeyPurpose[] = ["audit-chain", "audit-facts", "account-digest"];

/** The setting that the keys of a purpose come from. */
export type SecretsVariable = "SLUICE_SECRETS" | "SLUICE_RECORD_SECRETS";

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
  variableOf(purpose: KeyPurpose): SecretsVariable;
}

/**
 * Derives the ring from secrets of 32 bytes, newest first; to rotate, put a new one in front. `recordSecrets` replace them
 * for the purposes of records, unless there are none.
 */
export function createKeyRing(secrets: readonly Buffer[], recordSecrets: readonly Buffer[] = []): KeyRing {
  if (secrets.length === 0) throw new RangeError("a key ring needs at least one secret");
  const derived = new Map<KeyPurpose, readonly PurposeKey[]>();

  function variableOf(purpose: KeyPurpose): SecretsVariable {
    const isOfRecords = recordSecrets.length > 0 && RECORD_PURPOSES.includes(purpose);
    return isOfRecords ? "SLUICE_RECORD_SECRETS" : "SLUICE_SECRETS";
  }

  function all(purpose: KeyPurpose): readonly PurposeKey[] {
    const known = derived.get(purpose);
    if (known) return known;
    const given = variableOf(purpose) === "SLUICE_SECRETS" ? secrets : recordSecrets;
    const keys = given.map((secret) => ({
      id: createHash("sha256").update("sluice key id").update(secret).digest("hex").slice(0, 8),
      key: Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), `sluice ${purpose}`, 32)),
    }));
    derived.set(purpose, keys);
    return keys;
  }

  return {
    all,
    variableOf,
    current: (purpose) => all(purpose)[0] as PurposeKey,
    byId: (purpose, id) => all(purpose).find((key) => key.id === id) ?? null,
  };
}
