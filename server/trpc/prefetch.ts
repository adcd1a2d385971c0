// Owns reading on the server what a page shows first, through the very procedures that the browser goes on to call.
import { dehydrate, QueryClient } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { newId } from "@/server/platform/ids";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { appRouter } from "./router";

/** Queries to prefetch with, and what they brought, for the browser to begin with. */
export function createPrefetch(session: MemberSession) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const ctx = { session, requestId: newId("request"), address: null };
  const trpc = createTRPCOptionsProxy({ router: appRouter, ctx, queryClient });
  return { queryClient, trpc, state: () => dehydrate(queryClient) };
}

/** Whether a query ended because what it asked for does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof TRPCError && error.code === "NOT_FOUND";
}

/** For a query that failed: the browser asks again, and says what went wrong where it does not succeed either. */
export function leaveToBrowser(): void {}
