// Prefetches on the server what a page shows first, through the procedures that the browser calls later.
import { dehydrate, QueryClient } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { pageLanguage } from "@/server/auth/page-language";
import { newId } from "@/server/platform/ids";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { appRouter } from "./router";

/** Returns the queries to prefetch with, and their results for the browser. */
export function createPrefetch(session: MemberSession) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const ctx = { session, requestId: newId("request"), address: null, language: pageLanguage };
  const trpc = createTRPCOptionsProxy({ router: appRouter, ctx, queryClient });
  return { queryClient, trpc, state: () => dehydrate(queryClient) };
}

/** True if a query failed because its object does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof TRPCError && error.code === "NOT_FOUND";
}

/** Handles a failed prefetch: the browser repeats the query and shows the error if it fails again. */
export function leaveToBrowser(): void {}

/** Waits for the queries, which run at the same time, and leaves those that fail to the browser. */
export async function prefetchAll(queries: readonly (Promise<unknown> | false)[]): Promise<void> {
  await Promise.all(queries.map(async (query) => query && query.catch(leaveToBrowser)));
}
