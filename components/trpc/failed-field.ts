import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "@/server/trpc/router";

/** The field of the input that a rejection is about; null if it is about none, or there was no answer. */
export function failedField(error: unknown): string | null {
  return error instanceof TRPCClientError ? ((error as TRPCClientError<AppRouter>).data?.field ?? null) : null;
}
