// Encryption of secrets at rest, and keyed digests, with a key ring.
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { KeyPurpose, KeyRing } from "./key-ring";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and a fresh IV. `context` (table, row, field) is authenticated, so a text moved to another
 * row does not decrypt. Returns `<key id>.<base64url>`.
 */
export function sealText(ring: KeyRing, purpose: KeyPurpose, context: string, plaintext: string): string {
  const { id, key } = ring.current(purpose);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(`${context}|${id}`));
  const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return `${id}.${Buffer.concat([iv, body, cipher.getAuthTag()]).toString("base64url")}`;
}

/** Decrypts a sealed text. Throws if its key was removed, the context differs or a bit was changed. */
export function openText(ring: KeyRing, purpose: KeyPurpose, context: string, sealed: string): string {
  const [id = "", encoded = ""] = sealed.split(".", 2);
  const found = ring.byId(purpose, id);
  if (!found) throw new Error(`no ${purpose} key ${id} in the ring`);
  const bytes = Buffer.from(encoded, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", found.key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(`${context}|${id}`));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** Returns a sealed text under the current key. Throws as openText does. */
export function resealText(ring: KeyRing, purpose: KeyPurpose, context: string, sealed: string): string {
  return sealText(ring, purpose, context, openText(ring, purpose, context, sealed));
}

/** Returns the SHA-256 in hex. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** Returns the HMAC-SHA-256. */
export function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Returns the HMAC-SHA-256 in hex. */
export function hmacHex(key: Buffer, text: string): string {
  return hmac(key, text).toString("hex");
}

/** Returns a digest that allows comparison without revealing the text: `<key id>.<hex>`. */
export function keyedDigest(ring: KeyRing, purpose: KeyPurpose, text: string): string {
  const { id, key } = ring.current(purpose);
  return `${id}.${hmacHex(key, text)}`;
}

/** Returns true if `digest` is one of `text`, under any key of the ring. */
export function digestMatches(ring: KeyRing, purpose: KeyPurpose, digest: string, text: string): boolean {
  const [id = "", hex = ""] = digest.split(".", 2);
  const found = ring.byId(purpose, id);
  return found !== null && equalTexts(hmacHex(found.key, text), hex);
}

/** Compares two texts in constant time; returns at once for unequal lengths, which reveals only the length. */
export function equalTexts(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
