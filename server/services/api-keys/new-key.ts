// Generates key pairs (interface §5).
import type { Environment } from "@/server/domain/scope";
import { currentCell } from "@/server/platform/cell";
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

const PUBLIC_LENGTH = 24;

/** In a further cell the text begins with the cell's tag; its underscore is in no text of the first cell. */
function publicText(tag: string): string {
  return tag === "" ? randomText(PUBLIC_LENGTH) : `${tag}_${randomText(PUBLIC_LENGTH - tag.length - 1)}`;
}

/** Returns the tag of the cell that made a public key; empty for the first cell, and for a text that is no key. */
export function tagOfPublicKey(publicKey: string): string {
  return /^pk_(?:test|live)_(?<tag>[0-9a-z]{2})_/.exec(publicKey)?.groups?.tag ?? "";
}

/** Returns a new pair for one environment and the hash of its secret for storing. */
export function newKeyPair(environment: Environment) {
  const publicKey = `pk_${environment}_${publicText(currentCell().tag)}`;
  const secretKey = `sk_${environment}_${randomText(43)}`;
  const record = { id: newId("apiKey"), environment, publicKey, ...hashSecret(secretKey) };
  const created: CreatedKey = { id: record.id, publicKey, secretKey };
  return { kept: record, created };
}
