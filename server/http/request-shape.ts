// Checks a request by its first line and header names, before anything interprets it.
import type { IncomingMessage } from "node:http";
import { malformed, methodNotAllowed, type Refusal } from "./direct-host-refusals";

const MAXIMUM_URL_BYTES = 4 * 1024;
const MAXIMUM_HEADERS = 128;
const API_PATH = /^\/(?:v1|providers)(?:\/|$)|^\/(?:openapi\.json|healthz|readyz|metrics)$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Node's parser also accepts a first line of HTTP/0.9, and one that claims HTTP/2 in plain text. */
const VERSIONS = ["1.1", "1.0"];

/** A name, an IPv4 or an IPv6 address, each with or without a port (RFC 3986, 3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-fA-F:.]+\])(?::\d{0,5})?$/;

/** Matches the Host of nearly every request; it needs no further check. */
const PLAIN_HOST = /^[a-z][a-z\d.-]*(?::\d{1,4})?$/i;

/** Only a URL parser detects a port that is too large or an invalid IP address. */
function isHost(host: string): boolean {
  return PLAIN_HOST.test(host) || (HOST.test(host) && URL.canParse(`http://${host}/`));
}

/** Headers whose repetition Node hides: it uses the first, or joins them into one. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(["authorization", "content-type", "idempotency-key"]);

export interface Shape {
  /** True if the route table answers the request, false if Next does. */
  readonly isApi: boolean;
  readonly refusal: Refusal | null;
  readonly duplicateHeaders: readonly string[];
  /** The request target. Under the API a stray `%` is escaped, so that it reads as a literal percent sign. */
  readonly target: string;
}

const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/g;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function escapeBrokenPath(path: string): string {
  const escaped = path.replace(STRAY_PERCENT, "%25");
  return isDecodable(escaped) ? escaped : path.replaceAll("%", "%25");
}

function namesSentTwice(rawHeaders: readonly string[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (seen.has(name)) twice.add(name);
    seen.add(name);
  }
  return [...twice];
}

function refusalOf(request: IncomingMessage, isApi: boolean, twice: readonly string[]): Refusal | null {
  const url = request.url ?? "";
  if (!VERSIONS.includes(request.httpVersion)) return malformed("The request must use HTTP/1.1.");
  if (!METHODS.includes(request.method ?? "")) return methodNotAllowed(isApi ? "GET, POST" : "GET, HEAD, POST");
  if (!url.startsWith("/")) return malformed("The request target must begin with a slash.");
  if (Buffer.byteLength(url) > MAXIMUM_URL_BYTES)
    return malformed(`The URL is longer than ${MAXIMUM_URL_BYTES} bytes.`);
  if (request.rawHeaders.length / 2 > MAXIMUM_HEADERS)
    return malformed(`There are more than ${MAXIMUM_HEADERS} headers.`);
  if (twice.includes("host")) return malformed("Host must be sent once; it is sent twice.");
  const { host } = request.headers;
  if (request.httpVersion === "1.1" && !host) return malformed("The Host header is missing.");
  if (host && !isHost(host)) return malformed("The Host header is not well-formed.");
  return null;
}

/** Classifies the request, with the reason if it is rejected. Reads no body. */
export function shapeOf(request: IncomingMessage): Shape {
  const url = request.url ?? "";
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  const isApi = API_PATH.test(path);
  const twice = namesSentTwice(request.rawHeaders);
  const isBroken = path.includes("%") && !isDecodable(path);
  const refusal = refusalOf(request, isApi, twice);
  return {
    isApi,
    refusal: refusal ?? (isBroken && !isApi ? malformed("The path is not well-formed.") : null),
    duplicateHeaders: twice.filter((name) => SINGLE_HEADERS.has(name)),
    target: isBroken ? escapeBrokenPath(path) + url.slice(path.length) : url,
  };
}
