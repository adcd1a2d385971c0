// Reads request bodies: media type, size, strict JSON.
import { ServiceError, validationError } from "@/server/domain/errors";
import type { ApiRequest } from "./exchange";
import { parseStrictJson } from "./strict-json";

export const MAXIMUM_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/** The error for a body over the limit. */
export function tooLarge(): ServiceError {
  return new ServiceError("payload_too_large", `The body is larger than ${MAXIMUM_BODY_BYTES} bytes.`);
}

/**
 * The error for a body whose sender disconnected or broke the framing. This is the caller's fault and needs no
 * investigation.
 */
export function brokenOff(): ServiceError {
  return validationError("body", "did not arrive completely");
}

/**
 * Reads the body of a Web request. Stops reading at the limit instead of buffering beyond it. Throws payload_too_large,
 * and validation_failed if the body is incomplete.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? "0") > MAXIMUM_BODY_BYTES) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw brokenOff();
    });
    if (done) break;
    size += value.byteLength;
    if (size > MAXIMUM_BODY_BYTES) {
      await reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/**
 * Returns the JSON value of the body; an absent body reads as `{}` if `optional`. Throws validation_failed for another
 * media type, a content encoding, or anything the strict parser rejects.
 */
export async function readJson({ headers, peer, readBody }: ApiRequest, optional: boolean): Promise<unknown> {
  const type = headers.get("content-type");
  const encoding = headers.get("content-encoding");
  if (peer.duplicateHeaders.includes("content-type") || (type !== null && !JSON_TYPE.test(type.trim()))) {
    throw validationError("Content-Type", "must be application/json, in UTF-8");
  }
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw validationError("Content-Encoding", "must be identity");
  const bytes = await readBody();
  if (bytes.byteLength === 0) {
    if (optional) return {};
    throw type === null
      ? validationError("Content-Type", "must be application/json, in UTF-8")
      : validationError("body", "must be a JSON object");
  }
  if (type === null) throw validationError("Content-Type", "must be application/json, in UTF-8");
  return parseStrictJson(bytes);
}
