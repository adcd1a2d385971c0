// Requests and answers of the route table as plain values, so that no host's request objects are built for it.
import type { Peer } from "./peer";

/** Reads a header by its name, in any case. */
export type HeaderReader = Pick<Headers, "get">;

export interface ApiRequest {
  readonly method: string;
  /** Path and query, beginning with a slash. */
  readonly target: string;
  readonly headers: HeaderReader;
  readonly peer: Peer;
  /**
   * Reads the body within its limit. Rejects with payload_too_large, and validation_failed if the body is incomplete.
   */
  readBody(): Promise<Uint8Array>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the status has no body. */
  readonly body: string | null;
}

/** Returns the answer as a Web-standard Response. */
export function toResponse({ status, headers, body }: ApiAnswer): Response {
  return new Response(body, { status, headers });
}
