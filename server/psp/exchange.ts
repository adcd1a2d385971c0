// One HTTP exchange with an external provider: authenticated, size-limited, without redirects; every answer is validated.
import { Agent, request } from "undici";
import { now } from "@/server/platform/clock";
import { LATEST_SEND_MS } from "./gateway";

const MAXIMUM_BODY_BYTES = 64 * 1024;
const IDLE_MS = 30_000;

/**
 * A complete JSON answer, or the reason why there is none; reasons contain nothing that the provider sent. `isUnsent`:
 * no byte of the call was sent, since no connection was made or it was too late to send.
 */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  | { readonly unclear: string; readonly isUnsent?: true };

export interface Call {
  readonly method: "GET" | "POST";
  /** Relative to the provider's base URL, with the query string. */
  readonly path: string;
  readonly body?: object;
  /** A form-encoded body in place of JSON. */
  readonly form?: string;
  readonly idempotencyKey?: string;
  /** Further headers of this call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Set on a creating call: the time of its signature, from which it expires. */
  readonly announcedAt?: Date;
}

/** Sends calls to one provider. Never throws. The signal aborts the whole exchange, including reading the body. */
export type Exchange = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** A message as it is sent. */
export interface Message {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly body: string;
}

/** Returns the headers that authenticate a message; `at` is the time of its announcement, or now. */
export type Authenticate = (message: Message, at: Date) => Readonly<Record<string, string>>;

/** Returns an exchange with the provider at `baseUrl`, with its own connection pool. Larger answers are unclear. */
export function createExchange(
  baseUrl: string,
  authenticate: Authenticate,
  maximumBytes = MAXIMUM_BODY_BYTES,
): Exchange {
  const base = baseUrl.replace(/\/+$/, "");
  const dispatcher = new Agent({
    connections: 64,
    connect: { timeout: IDLE_MS },
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });
  return async ({ method, path, body, form, idempotencyKey, headers: further, announcedAt }, signal) => {
    const url = new URL(base + path);
    const text = form ?? (body === undefined ? "" : JSON.stringify(body));
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "sluice",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...further,
      ...authenticate({ method, path: url.pathname + url.search, body: text }, announcedAt ?? now()),
    };
    // A process can be suspended anywhere, so this check comes last before the socket.
    if (announcedAt && isTooLate(announcedAt))
      return { unclear: "the call was announced too long ago", isUnsent: true };
    try {
      const answer = await request(url, { method, headers, body: text === "" ? null : text, signal, dispatcher });
      const bytes = await readCapped(answer.body, maximumBytes);
      if (bytes === null) return { unclear: `an answer of over ${maximumBytes} bytes` };
      const contentType = answer.headers["content-type"];
      return readJson(answer.statusCode, typeof contentType === "string" ? contentType : "", bytes);
    } catch (error) {
      if (isConnectFailure(error)) return { unclear: "no connection could be made", isUnsent: true };
      return { unclear: signal.aborted ? "no answer in time" : "the connection broke" };
    }
  };
}

/** Uses the wall clock, which advances while this process is suspended. */
function isTooLate(announcedAt: Date): boolean {
  return now().getTime() - announcedAt.getTime() > LATEST_SEND_MS;
}

/** True for errors of DNS lookup and connecting. After any other error the provider may have read the call. */
function isConnectFailure(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, syscall, errors } = error as { code?: unknown; syscall?: unknown; errors?: unknown };
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(isConnectFailure);
  return syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT";
}

/** Returns the whole body, or null if it is too large; leaving the loop early closes the connection. */
async function readCapped(body: AsyncIterable<Buffer>, maximumBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximumBytes) return null;
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
