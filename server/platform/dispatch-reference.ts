import { createHash } from "node:crypto";
import { hmac } from "./crypto";
import { ID_PREFIXES, tagOfId } from "./ids";

/** Kinds of objects that are sent to providers. */
export const DISPATCHED_KINDS = ["paymentIntent", "payoutIntent", "topupIntent", "suspenseRefund"] as const;
export type DispatchedKind = (typeof DISPATCHED_KINDS)[number];

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
/** In no reference of the first cell's merchants, since the alphabet lacks it. */
const CELL_MARK = "u";

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
 * HMAC-SHA-256 (130 bits) of the subject. It has 40 characters and never the form of an id. If a further cell made the merchant,
 * a mark and the cell's tag stand for the last 15 bits, so that the reference leads to the cell, too.
 */
export function deriveDispatchReference(key: Buffer, subject: DispatchSubject): string {
  const { merchantId, environment, kind, merchantReference } = subject;
  const tag = base32(hmac(key, `merchant|${merchantId}`), TAG_CHARACTERS);
  const cellTag = tagOfId(merchantId);
  const cell = cellTag && CELL_MARK + cellTag;
  const digest = hmac(key, `object|${merchantId}|${environment}|${kind}|${merchantReference}`);
  return `${ID_PREFIXES[kind]}_${tag}_${cell}${base32(digest, HASH_CHARACTERS - cell.length)}`;
}

const DERIVED = /^[a-z]+_[0-9a-z]{8}_(?:u(?<tag>[0-9a-z]{2})|[0-9a-z]{3})[0-9a-z]{23}$/;

/** Returns the tag of the cell that a reference, an id or a derived one, leads to; empty for the first cell and any other text. */
export function tagOfReference(reference: string): string {
  const derived = DERIVED.exec(reference);
  return derived ? (derived.groups?.tag ?? "") : tagOfId(reference);
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
