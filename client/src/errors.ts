// What the client throws.

/** Codes of the service's errors are in its documentation; these two are the client's own. */
export type ClientErrorCode = "connection_failed" | "unexpected_answer";

/** A call failed: the service rejected it, or gave no answer that the client understands. */
export class SluiceError extends Error {
  override readonly name = "SluiceError";
  /** The service's code, such as `validation_failed`, or one of ClientErrorCode. */
  readonly code: string;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** `Request-Id` of the answer, to quote to the operator; null without one. */
  readonly requestId: string | null;

  constructor(
    message: string,
    facts: {
      readonly code: string;
      readonly status?: number;
      readonly requestId?: string | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
  }
}

/** The intent has no outcome yet. It can still have any: rely on events, or wait again. */
export class OutcomePendingError<Intent = unknown> extends Error {
  override readonly name = "OutcomePendingError";
  /** The intent as it was read last. */
  readonly intent: Intent;

  constructor(id: string, intent: Intent) {
    super(`${id} has no outcome yet; rely on events, or wait again`);
    this.intent = intent;
  }
}

/** The message must not be believed: it was not signed with the secret, was changed, or is old. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}
