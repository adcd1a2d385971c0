// What is kept of a receiver's answer: its status, the beginning of its text, and why there was none.
import { errors } from "undici";

type DeliveryError = "timeout" | "refused_address" | "tls" | "dns" | "connection" | "too_large";

export interface DeliveryAnswer {
  /** "answered" when a whole answer, or its first 64 KiB, was read in time; whether it succeeded is the status's matter. */
  readonly kind: "answered" | "failed";
  /** Null unless answered: a 200 that broke off is no success. What was seen of it is in `detail`. */
  readonly status: number | null;
  readonly durationMs: number;
  /** At most 4 KiB of UTF-8 without NUL: whatever was received by then. */
  readonly body: string;
  /** What Retry-After asks for, between a second and a day; null beside a 2xx. */
  readonly retryAfterMs: number | null;
  /** Null when answered. */
  readonly error: DeliveryError | null;
  /** A sentence for people; null when answered. */
  readonly detail: string | null;
}

export interface DeliveryFailure {
  readonly error: DeliveryError;
  readonly detail: string;
}

/** Our own reason for not connecting, thrown inside the connector and found again by `describeFailure`. */
export class ReceiverRefusal extends Error {
  constructor(readonly failure: DeliveryFailure) {
    super(failure.detail);
    this.name = "ReceiverRefusal";
  }
}

const MAXIMUM_TEXT_BYTES = 4 * 1024;

/** The first 4 KiB as text that any database keeps: broken bytes and NUL become U+FFFD, a cut character is left out. */
export function readableText(bytes: Buffer): string {
  const text = decodeWhole(bytes.subarray(0, MAXIMUM_TEXT_BYTES)).replaceAll("\0", "\uFFFD");
  // Each repaired byte has become three.
  return decodeWhole(Buffer.from(text).subarray(0, MAXIMUM_TEXT_BYTES));
}

function decodeWhole(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/;
const CONNECTION_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The receiver refused the connection.",
  EHOSTUNREACH: "The receiver cannot be reached.",
  ENETUNREACH: "The receiver cannot be reached.",
  ETIMEDOUT: "The receiver cannot be reached.",
};
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its chain ends in an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its authority is unknown, or an intermediate certificate is missing",
  ERR_TLS_CERT_ALTNAME_INVALID: "it belongs to another host",
};

/** What an error of the HTTP client means, in words that do not repeat what the receiver sent. */
export function describeFailure(error: unknown): DeliveryFailure {
  if (error instanceof ReceiverRefusal) return error.failure;
  const code = codeOf(error);
  if (code === "UND_ERR_CONNECT_TIMEOUT") return { error: "timeout", detail: "The connection was not made in time." };
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return { error: "too_large", detail: "The answer's headers are larger than 16 KiB." };
  if (TLS_CODE.test(code)) {
    const fault = CERTIFICATE_FAULTS[code];
    const detail = fault
      ? `The receiver's certificate cannot be trusted: ${fault}.`
      : "The receiver did not complete the TLS handshake.";
    return { error: "tls", detail };
  }
  if (error instanceof errors.HTTPParserError || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")
    return { error: "connection", detail: "The receiver did not answer in valid HTTP." };
  return {
    error: "connection",
    detail: CONNECTION_FAILURES[code] ?? "The receiver closed the connection before its answer was complete.",
  };
}

/** The code of an error of Node or undici; empty when it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
