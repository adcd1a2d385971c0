// Owns keeping the page as new as the service: one stream tells of changes, and asking now and then makes up for it.
"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { useTRPC } from "../trpc/client";
import { useShell } from "./shell-context";

const ASK_EVERY_MS = { told: 30_000, alone: 5_000 } as const;
/** A stream that was refused is tried again after this long. */
const OPEN_AGAIN_AFTER_MS = 15_000;

const AskEvery = createContext<number>(ASK_EVERY_MS.alone);

/** How often, in ms, what changes by itself is to be asked for: seldom while the stream tells of changes. */
export function useAskEvery(): number {
  return useContext(AskEvery);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** A browser opens six connections to a service and no more: only the pages that are looked at take one for the stream. */
function useIsLookedAt(): boolean {
  return useSyncExternalStore(
    onVisibility,
    () => document.visibilityState === "visible",
    () => false,
  );
}

export function LiveChanges({ children }: { readonly children: ReactNode }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { status, reset } = useSubscription(
    trpc.changes.stream.subscriptionOptions(
      { environment },
      {
        enabled: useIsLookedAt(),
        onData: () =>
          void queries.invalidateQueries(
            { predicate: ({ meta }) => meta?.isLive === true },
            // What is being asked already is not asked once more.
            { cancelRefetch: false },
          ),
      },
    ),
  );
  useEffect(() => {
    if (status !== "error") return;
    const timer = setTimeout(reset, OPEN_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [status, reset]);
  return <AskEvery value={status === "pending" ? ASK_EVERY_MS.told : ASK_EVERY_MS.alone}>{children}</AskEvery>;
}
