// Reads the Idempotency-Key header (interface §8).
import { validationError } from "@/server/domain/errors";
import type { ApiRequest } from "./exchange";

const KEY = /^[\x20-\x7E]{1,255}$/;

/** Returns the key's text as opaque bytes, or null without the header. Throws validation_failed for any other form. */
export function readIdempotencyKey({ headers, peer }: ApiRequest, required: boolean): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) {
    if (required) throw validationError("Idempotency-Key", "is required");
    return null;
  }
  if (peer.duplicateHeaders.includes("idempotency-key") || !KEY.test(key)) {
    throw validationError("Idempotency-Key", "must be sent once, with 1 to 255 printable ASCII characters");
  }
  return key;
}
