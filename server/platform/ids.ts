// Identifiers: TypeIDs (a prefix and a UUIDv7 in base 32), so that they sort by creation, and random key texts.
import { randomBytes } from "node:crypto";
import { typeid } from "typeid-js";

/** Prefixes on the wire and in the database; the first three are the interface document's (§2). */
export const ID_PREFIXES = {
  paymentIntent: "dord",
  payoutIntent: "word",
  topupIntent: "tuin",
  merchant: "mer",
  apiKey: "key",
  member: "mem",
  session: "ses",
  event: "evt",
  webhookEndpoint: "we",
  delivery: "dlv",
  attempt: "att",
  audit: "aud",
  ledgerTransaction: "ltx",
  exception: "exc",
  manualResolution: "mres",
  journalEntry: "jrn",
  settlementFile: "stf",
  savedView: "view",
  dispatchPause: "dpz",
  request: "req",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** A new id of a kind, such as `dord_01h455vb4pex5vsknk084sn02q`. */
export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

const TYPEID_SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** True when the text has the shape of an id of that kind; anything else need not reach the database. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && TYPEID_SUFFIX.test(text.slice(prefix.length));
}

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
/** The characters of an id that tell its time, in ms since 1970. */
const TIME_CHARACTERS = 10;

/** A text that sorts before every id made at that instant or later, and after those made earlier, by the maker's clock. */
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

/** `length` random base62 characters; 43 of them carry 256 bits. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
