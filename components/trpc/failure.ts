// Why a call to the dashboard's API failed.

import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";

export interface CallFailure {
  /** The contract's code, `forbidden`, or `unreachable` if there was no answer. */
  readonly reason: string;
  readonly message: string;
  readonly requestId: string | null;
}

/** The service's answer to a call that it rejected; null if it did not answer. */
export function rejectionOf(error: unknown): CallFailure | null {
  if (!(error instanceof TRPCClientError)) return null;
  const { data, message } = error as TRPCClientError<AppRouter>;
  return data ? { reason: data.reason, message, requestId: data.requestId } : null;
}

/** Why the call failed, without words for people. */
export function reasonOf(error: unknown): string {
  return rejectionOf(error)?.reason ?? "unreachable";
}

/** The failure to show for the error of a query or mutation. */
export function failureOf(texts: Texts, error: unknown): CallFailure {
  const unanswered = texts("common.noAnswer");
  return rejectionOf(error) ?? { reason: "unreachable", message: unanswered, requestId: null };
}
