// Builds answers: headers that every answer carries, and errors in the one envelope (interface §2.4).
import { errorBody } from "@/server/contract/errors";
import { API_VERSION } from "@/server/domain/api-version";
import { ERROR_STATUS, type ServiceError } from "@/server/domain/errors";
import type { ApiAnswer } from "./exchange";
import { RateLimited } from "./rate-limit";

const CHALLENGE = 'Basic realm="merchant-api", charset="UTF-8"';

type Headers = Readonly<Record<string, string>>;

/** An answer without a body. */
export function emptyAnswer(status: number, requestId: string, headers: Headers): ApiAnswer {
  return { status, headers: { "request-id": requestId, "api-version": API_VERSION, ...headers }, body: null };
}

/** A JSON answer from text that is already JSON. */
export function jsonAnswer(status: number, body: string, requestId: string, extra?: Headers): ApiAnswer {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "request-id": requestId,
    "api-version": API_VERSION,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...extra,
  };
  return { status, headers, body };
}

/** The body of an error, as it is sent and stored for replays. */
export function errorText(error: ServiceError): string {
  return JSON.stringify(errorBody(error.code, error.message));
}

/** An error answer with the headers that its code requires. */
export function errorAnswer(error: ServiceError, requestId: string, extra: Record<string, string> = {}): ApiAnswer {
  const headers: Record<string, string> = { ...extra };
  if (error.code === "unauthorized") headers["www-authenticate"] = CHALLENGE;
  if (error.retryAfterSeconds !== null) headers["retry-after"] = String(error.retryAfterSeconds);
  if (error instanceof RateLimited) {
    headers.ratelimit = error.state;
    headers["ratelimit-policy"] = error.policy;
  }
  return jsonAnswer(ERROR_STATUS[error.code], errorText(error), requestId, headers);
}
