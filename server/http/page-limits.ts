// Limits of requests that Next answers: their rate per address, and their bodies, which Next would otherwise buffer.
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { limitedNetwork } from "@/server/platform/client-address";
import { MAXIMUM_BODY_BYTES, tooLarge } from "./body";
import { malformed, type Refusal } from "./direct-host-refusals";
import { RateLimited, takeTokens } from "./rate-limit";

const STATIC_FILE = /^\/(?:_next\/static\/|icon\.svg(?:$|\?))/;
/** Everything else that Next answers is read without a body. */
const TAKES_BODY = /^\/(?:api\/|pay\/[^/?]+\/decide(?:$|\?))/;

export const BODY_TOO_LARGE: Refusal = { code: "payload_too_large", message: tooLarge().message };

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? "0") > 0;
}

/** Rendering a page costs as much as several calls of the dashboard. */
const PAGE_COSTS = 5;
const IS_CALL = /^\/api\//;

/** A file beyond the rate is tried again so often, at this distance in ms. */
const FILE_TRIES = 40;
const FILE_WAITS_MS = 250;

function rateRefusal(kind: "page" | "file", address: string, cost: number): Refusal | null {
  try {
    takeTokens(`${kind}:${limitedNetwork(address)}`, cost);
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

/**
 * Returns why a page, a file or a dashboard call is rejected before Next handles it. Takes tokens of the address. A file
 * waits for its token up to ten seconds, because a page that lacks a script does not work.
 */
export async function pageRefusal(request: IncomingMessage, address: string): Promise<Refusal | null> {
  const url = request.url ?? "/";
  if (hasBody(request) && !TAKES_BODY.test(url)) return malformed("This path takes no body.");
  if (Number(request.headers["content-length"] ?? "0") > MAXIMUM_BODY_BYTES) return BODY_TOO_LARGE;
  if (!STATIC_FILE.test(url)) return rateRefusal("page", address, IS_CALL.test(url) ? 1 : PAGE_COSTS);
  for (let tries = 1; ; tries += 1) {
    const refusal = rateRefusal("file", address, 1);
    if (!refusal || tries === FILE_TRIES) return refusal;
    await sleep(FILE_WAITS_MS);
  }
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
