// One HTTP exchange with an external provider: signed, capped, never redirected, and never taken at its word.
import { Agent, request } from "undici";
import { now } from "@/server/platform/clock";
import { LATEST_SEND_MS } from "../gateway";
import { signedHeaders } from "./signature";

const MAXIMUM_BODY_BYTES = 64 * 1024;
const IDLE_MS = 30_000;

/**
 * A complete JSON answer, or the reason why what came is none; reasons never repeat what the provider sent. `isUnsent`
 * means that not a byte of the call has left: no connection was made, or it was too late to send.
 */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly unclear: string; readonly isUnsent?: true };

export interface Call {
  readonly method: "GET" | "POST";
  /** Below the provider's base address, with its query. */
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Set on a call that creates: the time it is signed with, and after which it soon expires. */
  readonly announcedAt?: Date;
}

/** Sends calls to one provider. Never throws; the signal bounds the whole exchange, the reading of the body included. */
export type Exchange = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** An exchange with the provider at `baseUrl`, which holds connections of its own. */
export function createExchange(baseUrl: string, secret: string): Exchange {
  const base = baseUrl.replace(/\/+$/, "");
  const dispatcher = new Agent({
    connections: 64,
    connect: { timeout: IDLE_MS },
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });
  return async ({ method, path, body, idempotencyKey, announcedAt }, signal) => {
    const url = new URL(base + path);
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "sluice",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...signedHeaders(secret, { method, path: url.pathname + url.search, body: text }, announcedAt ?? now()),
    };
    // A process can stop anywhere for any time, so this is the last statement before the socket.
    if (announcedAt && isTooLate(announcedAt)) return { unclear: "it was announced too long ago", isUnsent: true };
    try {
      const answer = await request(url, { method, headers, body: text === "" ? null : text, signal, dispatcher });
      const bytes = await readCapped(answer.body);
      if (bytes === null) return { unclear: `an answer of over ${MAXIMUM_BODY_BYTES} bytes` };
      const contentType = answer.headers["content-type"];
      return readJson(answer.statusCode, typeof contentType === "string" ? contentType : "", bytes);
    } catch (error) {
      if (isConnectFailure(error)) return { unclear: "no connection could be made", isUnsent: true };
      return { unclear: signal.aborted ? "no answer in time" : "the connection broke" };
    }
  };
}

/** By the clock that also runs while this process is stopped. */
function isTooLate(announcedAt: Date): boolean {
  return now().getTime() - announcedAt.getTime() > LATEST_SEND_MS;
}

/** Errors of looking the name up and of connecting; whatever else fails may fail after the call was read. */
function isConnectFailure(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, syscall, errors } = error as { code?: unknown; syscall?: unknown; errors?: unknown };
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(isConnectFailure);
  return syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT";
}

/** The whole body, or null when it is too large; leaving the loop early drops the connection. */
async function readCapped(body: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAXIMUM_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readJson(status: number, contentType: string, bytes: Buffer): Answer {
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    return { unclear: `an answer with status ${status} that is not JSON` };
  try {
    return { status, body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { unclear: `an answer with status ${status} that is not valid JSON` };
  }
}
