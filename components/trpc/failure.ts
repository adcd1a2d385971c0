// Why a call to the dashboard's API failed.
import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/trpc/router";

export interface CallFailure {
  /** The contract's code, `forbidden`, or `unreachable` if there was no answer. */
  readonly reason: string;
  readonly message: string;
  readonly requestId: string | null;
}

/** The failure to show for the error of a query or mutation. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof TRPCClientError) {
    const { data, message } = error as TRPCClientError<AppRouter>;
    if (data) return { reason: data.reason, message, requestId: data.requestId };
  }
  return { reason: "unreachable", message: "The service did not answer. Please try again.", requestId: null };
}
