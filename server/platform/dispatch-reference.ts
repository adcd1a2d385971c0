import { createHash } from "node:crypto";
import { hmac } from "./crypto";
import { ID_PREFIXES } from "./ids";

/** Kinds of objects that are sent to providers. */
export type DispatchedKind = "paymentIntent" | "payoutIntent" | "topupIntent" | "suspenseRefund";

/** The input of a derived reference: the same object gets the same reference from every database. */
export interface DispatchSubject {
  readonly merchantId: string;
  readonly environment: string;
  readonly kind: DispatchedKind;
  readonly merchantReference: string;
}

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
const TAG_CHARACTERS = 8;
const HASH_CHARACTERS = 26;

/** Encodes the first `count` groups of five bits in lower-case Crockford base 32. */
function base32(bytes: Buffer, count: number): string {
  let text = "";
  let bits = 0;
  let unread = 0;
  for (const byte of bytes) {
    unread = ((unread << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5 && text.length < count; bits -= 5) text += BASE32[(unread >> (bits - 5)) & 31];
    if (text.length === count) break;
  }
  return text;
}

/**
 * Returns an object's reference at providers: the kind's prefix, a tag shared by all objects of the merchant, and an
 * HMAC-SHA-256 (130 bits) of the subject. It has 40 characters and never the form of an id.
 */
export function deriveDispatchReference(key: Buffer, subject: DispatchSubject): string {
  const { merchantId, environment, kind, merchantReference } = subject;
  const tag = base32(hmac(key, `merchant|${merchantId}`), TAG_CHARACTERS);
  const hash = base32(hmac(key, `object|${merchantId}|${environment}|${kind}|${merchantReference}`), HASH_CHARACTERS);
  return `${ID_PREFIXES[kind]}_${tag}_${hash}`;
}

/** Key to its id: the process has one key and compares its id for each new object. */
const keyIds = new WeakMap<Buffer, string>();

/** Returns an id of a reference key that does not reveal the key. */
export function referenceKeyId(key: Buffer): string {
  const known = keyIds.get(key);
  if (known !== undefined) return known;
  const id = createHash("sha256").update("sluice reference key id").update(key).digest("hex").slice(0, 8);
  keyIds.set(key, id);
  return id;
}

/** Returns true if the reference has the form of this kind, derived or not; it need not exist. */
export function namesKind(kind: DispatchedKind, reference: string): boolean {
  return reference.startsWith(`${ID_PREFIXES[kind]}_`);
}
