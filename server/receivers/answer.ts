// The stored part of a receiver's answer: status, beginning of the body, or the failure.
import { errors } from "undici";

type DeliveryError = "timeout" | "refused_address" | "tls" | "dns" | "connection" | "too_large";

export interface DeliveryAnswer {
  /** "answered" if the whole answer, or its first 64 KiB, was read in time; `status` decides about success. */
  readonly kind: "answered" | "failed";
  /** Null unless answered: an interrupted 200 is not a success. `detail` describes the part received. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The received part of the body: at most 4 KiB of UTF-8 without NUL. */
  readonly body: string;
  /** The delay of Retry-After, from a second to a day; null with a 2xx. */
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

/** Our own reason for not connecting, thrown by the connector and read by `describeFailure`. */
export class ReceiverRefusal extends Error {
  constructor(readonly failure: DeliveryFailure) {
    super(failure.detail);
    this.name = "ReceiverRefusal";
  }
}

const MAXIMUM_TEXT_BYTES = 4 * 1024;

/**
 * Returns the first 4 KiB as text that Postgres can store: invalid bytes and NUL become U+FFFD; a cut character is
 * dropped.
 */
export function readableText(bytes: Buffer): string {
  const text = decodeWhole(bytes.subarray(0, MAXIMUM_TEXT_BYTES)).replaceAll("\0", "\uFFFD");
  // Each replaced byte became three.
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

/** Describes an error of the HTTP client without repeating what the receiver sent. */
export function describeFailure(error: unknown): DeliveryFailure {
  if (error instanceof ReceiverRefusal) return error.failure;
  const code = codeOf(error);
  if (code === "UND_ERR_CONNECT_TIMEOUT")
    return { error: "timeout", detail: "The connection was not established in time." };
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

/** Returns the code of an error of Node or undici; empty if it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
