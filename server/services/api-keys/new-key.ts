// Generates key pairs (interface §5).
import type { Environment } from "@/server/domain/scope";
import { hmacHex } from "@/server/platform/crypto";
import { newId, randomText } from "@/server/platform/ids";
import { keyRing } from "@/server/platform/keys";

export interface CreatedKey {
  readonly id: string;
  readonly publicKey: string;
  /** Shown only once; we store a keyed hash. */
  readonly secretKey: string;
}

/** Returns the hash of a secret key for storing, under the current pepper. */
export function hashSecret(secretKey: string): { readonly secretHash: string; readonly pepperId: string } {
  const { id, key } = keyRing().current("api-key-pepper");
  return { secretHash: hmacHex(key, secretKey), pepperId: id };
}

/** Returns a new pair for one environment and the hash of its secret for storing. */
export function newKeyPair(environment: Environment) {
  const publicKey = `pk_${environment}_${randomText(24)}`;
  const secretKey = `sk_${environment}_${randomText(43)}`;
  const record = { id: newId("apiKey"), environment, publicKey, ...hashSecret(secretKey) };
  const created: CreatedKey = { id: record.id, publicKey, secretKey };
  return { kept: record, created };
}
