// What the calls about payments and payouts share.
import type { NeverAccepted, NotSent, Unknown } from "@/server/domain/outcome";
import type { Environment } from "@/server/domain/scope";
import type { AccountGuard } from "./account";
import { describe, isDescribedBy, type PaystackAnswer, type PaystackClient } from "./client";
import type { NOT_FOUND, REFUSALS } from "./tables";

export interface PaystackContext {
  readonly client: PaystackClient;
  readonly guard: AccountGuard;
  readonly environment: Environment;
  readonly payerEmail: string | null;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}

const OTHER_ACCOUNT = "the secret key belongs to another account than the configured one";

/** An outcome that a person must resolve. */
export function forOperator(detail: string): Unknown {
  return { kind: "unknown", detail, needsOperator: true };
}

/** The outcome of a call that was not made, since the key belongs to another account. */
export const WRONG_ACCOUNT: NotSent = { kind: "not_sent", detail: OTHER_ACCOUNT };

/** Converts an answer to a creating call that names no object. A repeated call proves nothing about the earlier ones. */
export function creationFailure(
  answer: PaystackAnswer,
  refusals: (typeof REFUSALS)[keyof typeof REFUSALS],
  isRepeat: boolean,
): NeverAccepted | NotSent | Unknown {
  if (answer.kind === "unclear" && answer.isUnsent) return { kind: "not_sent", detail: answer.why };
  const detail = describe(answer);
  if (!isRepeat && isDescribedBy(refusals, answer)) return { kind: "never_accepted", detail };
  return { kind: "unknown", detail };
}

/** Converts an answer to a poll that names no object: "not found" counts only if it is about the configured account. */
export async function pollFailure(
  { guard }: PaystackContext,
  answer: PaystackAnswer,
  rows: (typeof NOT_FOUND)[keyof typeof NOT_FOUND],
  signal: AbortSignal,
): Promise<NeverAccepted | Unknown> {
  if (!isDescribedBy(rows, answer)) return { kind: "unknown", detail: describe(answer) };
  const proof = await guard.prove(signal);
  if (proof === "same") return { kind: "never_accepted", detail: "Paystack does not know the reference" };
  return proof === "other"
    ? forOperator(OTHER_ACCOUNT)
    : { kind: "unknown", detail: "the reference is not known, and the key's account is not proven" };
}
