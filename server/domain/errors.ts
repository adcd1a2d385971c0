// The closed list of error codes: one code, one HTTP status, used by the runtime, the OpenAPI document and the tests.

/** Every error code a caller can meet and its one HTTP status (interface §7). */
export const ERROR_STATUS = {
  validation_failed: 400,
  unauthorized: 401,
  forbidden: 403,
  merchant_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  duplicate_merchant_reference: 409,
  payload_too_large: 413,
  approval_required: 422,
  insufficient_balance: 422,
  payout_limit_exceeded: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * An error meant for the caller. `message` is public text: it never holds a secret, an account number, SQL or a path.
 * Anything else that is thrown becomes `internal_error` at the edge.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Seconds after which a retry makes sense; sent as `Retry-After`. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** A field-level complaint; `path` leads the message, as in `recipient.bank_code must be …` (interface §4.4). */
export function validationError(path: string, complaint: string): ServiceError {
  return new ServiceError("validation_failed", `${path} ${complaint}`);
}

/** True for the answer about an object that is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "not_found";
}

/** The one answer for every object that is absent, foreign or malformed: causes must not be told apart (interface §4). */
export function notFoundError(): ServiceError {
  return new ServiceError("not_found", "The requested resource does not exist.");
}

/** The refusal of a creation or an approval while the operator has suspended the merchant. */
export function merchantSuspendedError(): ServiceError {
  return new ServiceError("merchant_suspended", "The operator of this service has suspended the merchant.");
}

/** The refusal of a payout, or of another debit, that the available balance does not cover. */
export function insufficientBalanceError(): ServiceError {
  return new ServiceError("insufficient_balance", "The available balance does not cover the amount.");
}

/** The role of a known member does not allow this. A key without the scope gets a ServiceError of the same code. */
export class Forbidden extends Error {
  override readonly name = "Forbidden";
  readonly code = "forbidden";
}

/** The same call with a valid one-time code may succeed. */
export class CodeRequired extends Error {
  override readonly name = "CodeRequired";
}

/** The same call with one of the member's passkeys may succeed. */
export class PasskeyRequired extends Error {
  override readonly name = "PasskeyRequired";

  constructor(
    message: string,
    /** True if a one-time code would do as well. */
    readonly orCode: boolean,
  ) {
    super(message);
  }
}

/** The same call after a fresh sign-in at the OpenID provider may succeed. */
export class FreshSignInRequired extends Error {
  override readonly name = "FreshSignInRequired";

  constructor(
    message: string,
    /** True if the member's password would do as well. */
    readonly orPassword: boolean,
  ) {
    super(message);
  }
}

/** The same call with the member's password may succeed. */
export class PasswordRequired extends Error {
  override readonly name = "PasswordRequired";
}

/** No retry helps: the intent waits until the operator has repaired something. */
export class NeedsOperator extends Error {
  override readonly name = "NeedsOperator";

  constructor(
    /** For the log. */
    message: string,
    /** For the people who see the exception; names no secret. */
    readonly why: string,
  ) {
    super(message);
  }
}
