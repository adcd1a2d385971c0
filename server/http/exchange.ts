// Owns what the route table is asked and what it answers: plain values, so that no host's objects cost a request anything.
import type { Peer } from "./peer";

/** Reads a header by its name, in any case. */
export type HeaderReader = Pick<Headers, "get">;

export interface ApiRequest {
  readonly method: string;
  /** Path and query, beginning with a slash. */
  readonly target: string;
  readonly headers: HeaderReader;
  readonly peer: Peer;
  /** The body within its limit. Rejects with payload_too_large, and with validation_failed when it breaks off. */
  readBody(): Promise<Uint8Array>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the status has none. */
  readonly body: string | null;
}

/** The answer for hosts that speak Web-standard objects. */
export function toResponse({ status, headers, body }: ApiAnswer): Response {
  return new Response(body, { status, headers });
}
