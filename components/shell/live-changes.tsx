// Refreshes the page by a stream of changes, and by polling in case the stream fails.
"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { useTRPC } from "../trpc/client";
import { useShell } from "./shell-context";

const ASK_EVERY_MS = { told: 30_000, alone: 5_000 } as const;
/** Pause, in ms, after the server has rejected the stream. */
const OPEN_AGAIN_AFTER_MS = 15_000;

const PollingInterval = createContext<number>(ASK_EVERY_MS.alone);

/** Polling interval in ms: long while the stream is open. */
export function usePollingInterval(): number {
  return useContext(PollingInterval);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** A browser opens at most six connections to a service, so only visible pages open a stream. */
function useIsVisible(): boolean {
  return useSyncExternalStore(
    onVisibility,
    () => document.visibilityState === "visible",
    () => false,
  );
}

const LIVE = {
  predicate: ({ meta }: { readonly meta?: Readonly<Record<string, unknown>> | undefined }) => meta?.isLive === true,
};
/** Queries in flight are not sent again. */
const JOINING = { cancelRefetch: false };

/** Asks every live query again. One in flight may have been answered before the change, so another one follows it. */
function refresh(queries: QueryClient): void {
  const inFlight = queries.getQueryCache().findAll({ ...LIVE, fetchStatus: "fetching" });
  void queries.invalidateQueries(LIVE, JOINING);
  for (const { queryKey } of inFlight) {
    const one = { queryKey, exact: true };
    void queries.refetchQueries(one, JOINING).then(() => queries.invalidateQueries(one, JOINING));
  }
}

export function LiveChanges({ children }: { readonly children: ReactNode }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { status, reset } = useSubscription(
    trpc.changes.stream.subscriptionOptions(
      { environment },
      {
        enabled: useIsVisible(),
        onData: () => refresh(queries),
      },
    ),
  );
  useEffect(() => {
    if (status !== "error") return;
    const timer = setTimeout(reset, OPEN_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [status, reset]);
  return (
    <PollingInterval value={status === "pending" ? ASK_EVERY_MS.told : ASK_EVERY_MS.alone}>{children}</PollingInterval>
  );
}
