// Identifiers: TypeIDs (a prefix and a UUIDv7 in base 32), so that they sort by creation, and random key texts.
import { randomBytes } from "node:crypto";
import { typeidUnboxed } from "typeid-js";
import { cellIfKnown } from "./cell";

/** Prefixes on the wire and in the database; the interface document defines the first three (§2). */
export const ID_PREFIXES = {
  paymentIntent: "dord",
  payoutIntent: "word",
  topupIntent: "tuin",
  merchant: "mer",
  merchantMove: "mov",
  apiKey: "key",
  member: "mem",
  roleGrant: "rgr",
  topupPolicyProposal: "tpp",
  session: "ses",
  passkey: "pky",
  event: "evt",
  webhookEndpoint: "we",
  delivery: "dlv",
  attempt: "att",
  audit: "aud",
  ledgerTransaction: "ltx",
  exception: "exc",
  manualResolution: "mres",
  suspenseRefund: "sref",
  journalEntry: "jrn",
  settlementFile: "stf",
  savedView: "view",
  notificationRegistration: "nrg",
  notification: "ntf",
  payoutRecipient: "rcp",
  payoutBatch: "pbt",
  dispatchPause: "dpz",
  request: "req",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Number of characters of an id that encode its time, in ms since 1970. */
const TIME_CHARACTERS = 10;

/**
 * Returns a new id of a kind, such as `dord_01h455vb4pex5vsknk084sn02q`. In a further cell it is a UUIDv8 of the same form and
 * order, which carries the cell's tag behind its time.
 */
export function newId(kind: IdKind): string {
  const prefix = ID_PREFIXES[kind];
  const id = typeidUnboxed(prefix);
  const tag = cellIfKnown()?.tag;
  return tag ? tagged(id, prefix.length + 1 + TIME_CHARACTERS, tag) : id;
}

/** The character after the time: four bits of the UUID's version, which end the e and f of UUIDv7, and one further bit. */
const VERSION_8: Readonly<Record<string, string>> = { e: "g", f: "h" };

/** Ten bits that were random become the tag's two characters; more than sixty stay. */
function tagged(id: string, at: number, tag: string): string {
  return `${id.slice(0, at)}${VERSION_8[id[at] ?? ""] ?? "g"}${tag}${id.slice(at + 1 + tag.length)}`;
}

const TAGGED = /^[a-z]+_[0-7][0-9a-z]{9}[gh](?<tag>[0-9a-z]{2})[0-9a-z]{13}$/;

/** Returns the tag of the cell that made an id; empty for the first cell, and for a text that is no id. */
export function tagOfId(id: string): string {
  return TAGGED.exec(id)?.groups?.tag ?? "";
}

const TYPEID_SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** Returns true if the text has the form of an id of this kind; other texts need no database query. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && TYPEID_SUFFIX.test(text.slice(prefix.length));
}

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns a text that sorts before every id created at that instant or later, and after earlier ones, by the creator's
 * clock.
 */
export function idBoundAt(kind: IdKind, at: Date): string {
  let rest = at.getTime();
  let text = "";
  for (let place = 0; place < TIME_CHARACTERS; place += 1) {
    text = (BASE32[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  return `${ID_PREFIXES[kind]}_${text}`;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Largest multiple of 62 in a byte: bytes from here on are dropped, so every character is equally likely. */
const UNBIASED = 248;

/** Returns `length` random base62 characters; 43 of them have 256 bits. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
