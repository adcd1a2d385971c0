// Errors as the dashboard receives them: the contract's codes and messages, without internal details.

import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { DASHBOARD_LANGUAGES, type DashboardLanguage } from "@/server/domain/dashboard-languages";
import {
  CodeRequired,
  ERROR_STATUS,
  type ErrorCode,
  Forbidden,
  FreshSignInRequired,
  PasskeyRequired,
  PasswordRequired,
} from "@/server/domain/errors";
import { translate } from "@/server/domain/texts/translate";
import { complain } from "@/server/http/validate";
import { asServiceError } from "@/server/services/outage";

/**
 * A code of the contract, or one that only members can receive: the proof with which the same call may succeed.
 * `passkey_or_code_required` is for members who have both, `fresh_sign_in_required` for those with single sign-on.
 */
export type Reason =
  | ErrorCode
  | "code_required"
  | "password_required"
  | "fresh_sign_in_required"
  | "fresh_sign_in_or_password_required"
  | "passkey_required"
  | "passkey_or_code_required";

const BY_STATUS = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const satisfies Record<(typeof ERROR_STATUS)[ErrorCode], TRPCError["code"]>;

const PROOF_ERRORS = [CodeRequired, FreshSignInRequired, PasskeyRequired, PasswordRequired];

const FAULT = "Something went wrong on our side.";
const FAULTS = new Set(DASHBOARD_LANGUAGES.map((language) => translate(language, FAULT)));

/** The message for the caller: of an internal error it says no more than that there was one. */
export function publicMessage({ code, message }: TRPCError): string {
  return code !== "INTERNAL_SERVER_ERROR" || FAULTS.has(message) ? message : FAULT;
}

/** Turns an error into one for a procedure to throw: the caller receives its HTTP status, and its message in the language. */
export function toTrpcError(error: unknown, language: DashboardLanguage = "en"): TRPCError {
  const refusal = (code: TRPCError["code"], message: string, cause: unknown) =>
    new TRPCError({ code, message: translate(language, message), cause });
  if (error instanceof Forbidden) return refusal("FORBIDDEN", error.message, error);
  if (error instanceof Error && PROOF_ERRORS.some((kind) => error instanceof kind))
    return refusal("PRECONDITION_FAILED", error.message, error);
  const known = asServiceError(error);
  if (!known) return refusal("INTERNAL_SERVER_ERROR", FAULT, error);
  return refusal(BY_STATUS[ERROR_STATUS[known.code]], known.message, known);
}

/** The field of the input that an error is about, which leads its message in English; null if it is about none. */
export function fieldOf({ cause }: TRPCError): string | null {
  const known = asServiceError(cause);
  return known?.code === "validation_failed" ? (/^[\w.[\]-]+(?= )/.exec(known.message)?.[0] ?? null) : null;
}

/** Turns an input that does not match its schema into validation_failed, as over REST. */
export function refusedInput(error: TRPCError): unknown {
  return error.cause instanceof z.ZodError ? complain(error.cause, undefined, "input") : (error.cause ?? error);
}

/** Why the call was rejected, for the caller's own logic. */
export function reasonOf(error: TRPCError): Reason {
  const known = asServiceError(error.cause);
  if (known) return known.code;
  if (error.code === "FORBIDDEN") return "forbidden";
  if (error.cause instanceof PasswordRequired) return "password_required";
  if (error.cause instanceof FreshSignInRequired)
    return error.cause.orPassword ? "fresh_sign_in_or_password_required" : "fresh_sign_in_required";
  if (error.cause instanceof PasskeyRequired)
    return error.cause.orCode ? "passkey_or_code_required" : "passkey_required";
  if (error.code === "PRECONDITION_FAILED") return "code_required";
  return error.code === "NOT_FOUND"
    ? "not_found"
    : error.code === "BAD_REQUEST"
      ? "validation_failed"
      : "internal_error";
}
