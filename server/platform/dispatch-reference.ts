import { createHash } from "node:crypto";
import { hmac } from "./crypto";
import { ID_PREFIXES } from "./ids";

/** Kinds of objects that are sent to providers. */
export type DispatchedKind = "paymentIntent" | "payoutIntent" | "topupIntent";

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
  let rest = BigInt(`0x${bytes.toString("hex")}`) >> BigInt(bytes.length * 8 - count * 5);
  let text = "";
  for (let place = 0; place < count; place += 1) {
    text = (BASE32[Number(rest & 31n)] ?? "") + text;
    rest >>= 5n;
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

/** Returns an id of a reference key that does not reveal the key. */
export function referenceKeyId(key: Buffer): string {
  return createHash("sha256").update("sluice reference key id").update(key).digest("hex").slice(0, 8);
}

/** Returns true if the reference has the form of this kind, derived or not; it need not exist. */
export function namesKind(kind: DispatchedKind, reference: string): boolean {
  return reference.startsWith(`${ID_PREFIXES[kind]}_`);
}
