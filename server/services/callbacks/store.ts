// Stores callbacks whose signatures were verified.
import { storeCallbackAcrossMerchants } from "@/server/db/callbacks";
import { now } from "@/server/platform/clock";
import { callbackDigest } from "./digest";

/** Postgres stores no NUL in text, and JSON has none outside its escapes: such a body is unreadable either way. */
function storable(body: string): string {
  return body.replaceAll("\0", "\u{fffd}");
}

/** Stores a verified callback with its digest, received now; false when it is stored already (a duplicate). */
export function storeCallback(provider: string, callbackId: string, rawBody: string): Promise<boolean> {
  const received = { provider, callbackId, body: storable(rawBody), receivedAt: now() };
  return storeCallbackAcrossMerchants(received, callbackDigest(received));
}
