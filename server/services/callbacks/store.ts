// Stores callbacks whose signatures were verified.
import { storeCallbackAcrossMerchants } from "@/server/db/callbacks";
import { type CallbackKey, callbackName, keyOfBody, MAXIMUM_BODIES } from "@/server/domain/callback";
import { ServiceError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { callbackDigest } from "./digest";

/** Replaces NUL, which Postgres cannot store in text. Such a body is invalid JSON anyway. */
function storable(body: string): string {
  return body.replaceAll("\0", "\u{fffd}");
}

/**
 * Stores a verified callback with its digest, received now. An equal body under a known id is a duplicate and changes
 * nothing; another body is a separate report. Throws idempotency_conflict for too many bodies under one id.
 */
export async function storeCallback(key: CallbackKey, rawBody: string): Promise<void> {
  const content = { body: storable(rawBody), receivedAt: now() };
  for (let number = 1; number <= MAXIMUM_BODIES; number += 1) {
    const received = { ...keyOfBody(key, number), ...content };
    if ((await storeCallbackAcrossMerchants(received, callbackDigest(received))) !== "different") return;
  }
  log().error({ callback: callbackName(key) }, "a callback was rejected: its id was used with too many bodies");
  const message = `The callback_id was used with ${MAXIMUM_BODIES} other bodies; give each report its own callback_id.`;
  throw new ServiceError("idempotency_conflict", message);
}
