// Reads Node's request objects for the direct host: headers without copying them, the body from its events.
import type { IncomingMessage } from "node:http";
import { brokenOff, MAXIMUM_BODY_BYTES, tooLarge } from "./body";
import type { HeaderReader } from "./exchange";

/** How long the rest of an unread body may still arrive, so that its sender can read the answer. */
const LINGER_MS = 500;

/** Reads headers by name in any case. Node joins or drops repeated ones; `Peer.duplicateHeaders` lists those. */
export function headersOf(request: IncomingMessage): HeaderReader {
  return {
    get(name) {
      const value = request.headers[name.toLowerCase()];
      return (Array.isArray(value) ? value.join(", ") : value) ?? null;
    },
  };
}

/** Reads the body without buffering beyond the limit. Rejects with payload_too_large and validation_failed. */
export function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? "0") > MAXIMUM_BODY_BYTES) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAXIMUM_BODY_BYTES) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once("error", () => reject(brokenOff()));
    request.once("close", () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}

/**
 * After an answer that did not wait for the whole body: discards the rest, and closes the connection if that takes too
 * long.
 */
export function drainBody(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroySoon(), LINGER_MS).unref();
  request.once("close", () => clearTimeout(timer));
  request.resume();
}
