"use client";
import { QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/router";
import { reasonOf } from "./failure";
import { type AskForProof, stepUpLink } from "./step-up-link";

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

const URL = "/api/trpc";
/** The server's limits: calls per request, and length of the address. */
const LIMITS = { url: URL, maxItems: 10, maxURLLength: 3_500 };

/** Marks queries that the page sends without its reader, also after a change: they do not prolong a session. */
export const BACKGROUND = { trpc: { context: { isBackground: true } }, meta: { isLive: true } } as const;

/** A client of this page's own origin. `ask` gets the proof for calls that need one. */
export function makeClient(ask: AskForProof) {
  return createTRPCClient<AppRouter>({
    links: [
      stepUpLink(ask),
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

/** A rejection is final; only a call without an answer is retried. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && ["unreachable", "service_unavailable"].includes(reasonOf(error));
}

const FRESH_FOR_MS = 30_000;

/** Rows change only at their reader's request: focusing a window does not refetch. */
export function makeQueryClient(caches: Pick<QueryClientConfig, "queryCache" | "mutationCache"> = {}): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: { staleTime: FRESH_FOR_MS, refetchOnWindowFocus: false, retry: shouldRetry },
      mutations: { retry: false },
    },
  });
}
