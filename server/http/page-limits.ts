// Limits of requests that Next answers: their rate per address, and their bodies, which Next would otherwise buffer.
import type { IncomingMessage } from "node:http";
import { limitedNetwork } from "@/server/platform/client-address";
import { MAXIMUM_BODY_BYTES, tooLarge } from "./body";
import { malformed, type Refusal } from "./direct-host-refusals";
import { RateLimited, takeToken } from "./rate-limit";

const STATIC_FILE = /^\/(?:_next\/static\/|icon\.svg(?:$|\?))/;
/** Everything else that Next answers is read without a body. */
const TAKES_BODY = /^\/(?:api\/|pay\/[^/?]+\/decide(?:$|\?))/;

export const BODY_TOO_LARGE: Refusal = { code: "payload_too_large", message: tooLarge().message };

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? "0") > 0;
}

function rateRefusal(address: string): Refusal | null {
  try {
    takeToken(`page:${limitedNetwork(address)}`);
    return null;
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    return {
      code: "rate_limited",
      message: error.message,
      headers: { "retry-after": String(error.retryAfterSeconds) },
    };
  }
}

/** Returns why a page, a file or a dashboard call is rejected before Next handles it. Takes a token of the address. */
export function pageRefusal(request: IncomingMessage, address: string): Refusal | null {
  const url = request.url ?? "/";
  if (hasBody(request) && !TAKES_BODY.test(url)) return malformed("This path takes no body.");
  if (Number(request.headers["content-length"] ?? "0") > MAXIMUM_BODY_BYTES) return BODY_TOO_LARGE;
  return STATIC_FILE.test(url) ? null : rateRefusal(address);
}

/** Counts the body as it arrives, whoever reads it; calls `onExcess` once instead of delivering more than the limit. */
export function limitBody(request: IncomingMessage, onExcess: () => void): void {
  const push = request.push.bind(request);
  let size = 0;
  let isExceeded = false;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (isExceeded) return false;
    size += chunk?.byteLength ?? 0;
    if (size <= MAXIMUM_BODY_BYTES) return push(chunk, encoding);
    isExceeded = true;
    onExcess();
    return false;
  };
}
