// What the calls about payments and payouts share.
import type { NeverAccepted, NotSent, Unknown } from "@/server/domain/outcome";
import type { Environment } from "@/server/domain/scope";
import { type AccountGuard, unknownReference } from "../account-guard";
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

/** Converts an answer to a poll that names no object. */
export async function pollFailure(
  { guard }: PaystackContext,
  answer: PaystackAnswer,
  rows: (typeof NOT_FOUND)[keyof typeof NOT_FOUND],
  signal: AbortSignal,
): Promise<NeverAccepted | Unknown> {
  if (!isDescribedBy(rows, answer)) return { kind: "unknown", detail: describe(answer) };
  return unknownReference(guard, signal);
}
