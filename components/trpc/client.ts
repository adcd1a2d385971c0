// Owns the dashboard's access to its API in the browser: typed by the router, kept by TanStack Query.
"use client";
import { QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/router";
import { failureOf } from "./failure";

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

const URL = "/api/trpc";
/** What the server takes at once, and the length of address it reads. */
const LIMITS = { url: URL, maxItems: 10, maxURLLength: 3_500 };

/** Given to queries that the page asks on its own, when it hears of a change too: they do not keep a session alive. */
export const BACKGROUND = { trpc: { context: { isBackground: true } }, meta: { isLive: true } } as const;

/** A client of this page's own origin. */
export function makeClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: URL }),
        false: splitLink({
          condition: ({ context }) => context.isBackground === true,
          true: httpBatchLink({ ...LIMITS, headers: { "x-sluice-background": "1" } }),
          false: httpBatchLink(LIMITS),
        }),
      }),
    ],
  });
}

/** A refusal stays one; only what did not arrive is asked again. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && ["unreachable", "service_unavailable"].includes(failureOf(error).reason);
}

const FRESH_FOR_MS = 30_000;

/** Rows move only when their reader asks: nothing is read again merely because a window was looked at. */
export function makeQueryClient(caches: Pick<QueryClientConfig, "queryCache" | "mutationCache"> = {}): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: { staleTime: FRESH_FOR_MS, refetchOnWindowFocus: false, retry: shouldRetry },
      mutations: { retry: false },
    },
  });
}
