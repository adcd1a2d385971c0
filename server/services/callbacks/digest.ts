// The keyed digest of a stored callback. It proves that this service received the row unchanged from the provider.
import type { ReceivedCallback } from "@/server/db/callbacks";
import type { CallbackKey } from "@/server/domain/callback";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** Version of the digested text; change it with the format. */
const FORM = "sluice-callback-1";

function callbackText({ provider, callbackId, body, receivedAt }: ReceivedCallback): string {
  return JSON.stringify([FORM, provider, callbackId, body, receivedAt.toISOString()]);
}

/** Returns the digest to store with a verified callback: `<key id>.<hex>`. */
export function callbackDigest(callback: ReceivedCallback): string {
  return keyedDigest(keyRing(), "callback", callbackText(callback));
}

/** missing: an older release stored the callback, or someone inserted it directly into the database. */
export type DigestState = "right" | "wrong" | "missing";

/** Compares a stored callback with its digest. A digest under a removed secret is wrong. */
export function digestState(callback: ReceivedCallback & { readonly digest: string | null }): DigestState {
  if (callback.digest === null) return "missing";
  return digestMatches(keyRing(), "callback", callback.digest, callbackText(callback)) ? "right" : "wrong";
}

/** The digest of a stored callback under another key. What nothing proves here, nothing proves there: then it stays as it is. */
export function digestUnder(
  callback: ReceivedCallback & { readonly digest: string | null },
  key: CallbackKey,
): string | null {
  return digestState(callback) === "right" ? callbackDigest({ ...callback, ...key }) : callback.digest;
}
