// Identifiers: TypeIDs (a prefix and a UUIDv7 in base 32), so that they sort by creation, and random key texts.
import { randomBytes } from "node:crypto";
import { typeidUnboxed } from "typeid-js";

/** Prefixes on the wire and in the database; the interface document defines the first three (§2). */
export const ID_PREFIXES = {
  paymentIntent: "dord",
  payoutIntent: "word",
  topupIntent: "tuin",
  merchant: "mer",
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

/** Returns a new id of a kind, such as `dord_01h455vb4pex5vsknk084sn02q`. */
export function newId(kind: IdKind): string {
  return typeidUnboxed(ID_PREFIXES[kind]);
}

const TYPEID_SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** Returns true if the text has the form of an id of this kind; other texts need no database query. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && TYPEID_SUFFIX.test(text.slice(prefix.length));
}

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
/** Number of characters of an id that encode its time, in ms since 1970. */
const TIME_CHARACTERS = 10;

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
