// The keyed digest of a stored callback: it proves that this service received the row, as it is, from the provider.
import type { ReceivedCallback } from "@/server/db/callbacks";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** Changes whenever the text does. */
const FORM = "sluice-callback-1";

function callbackText({ provider, callbackId, body, receivedAt }: ReceivedCallback): string {
  return JSON.stringify([FORM, provider, callbackId, body, receivedAt.toISOString()]);
}

/** The digest to be stored with a callback whose signature was verified: `<key id>.<hex>`. */
export function callbackDigest(callback: ReceivedCallback): string {
  return keyedDigest(keyRing(), "callback", callbackText(callback));
}

/** missing: an older release stored the callback, or somebody inserted it past the service. */
export type DigestState = "right" | "wrong" | "missing";

/** Holds a stored callback against its digest. A digest under a secret that was removed is wrong. */
export function digestState(callback: ReceivedCallback & { readonly digest: string | null }): DigestState {
  if (callback.digest === null) return "missing";
  return digestMatches(keyRing(), "callback", callback.digest, callbackText(callback)) ? "right" : "wrong";
}
