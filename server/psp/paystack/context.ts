// What the calls about payments and payouts share.
import type { NeverAccepted, Unknown } from "@/server/domain/outcome";
import type { Environment } from "@/server/domain/scope";
import { type AccountGuard, unknownReference } from "../account-guard";
import type { NoObject } from "../readings";
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

/** Reads an answer to a creating call that names no object. */
export function noObject(answer: PaystackAnswer, refusals: (typeof REFUSALS)[keyof typeof REFUSALS]): NoObject {
  return {
    detail: describe(answer),
    isUnsent: answer.kind === "unclear" && answer.isUnsent,
    isRefusal: isDescribedBy(refusals, answer),
  };
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
