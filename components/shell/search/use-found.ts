"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useEffect, useState } from "react";
import { SHORTEST_SEARCH } from "@/server/domain/search-text";
import type { AppRouter } from "@/server/trpc/router";
import { useTRPC } from "../../trpc/client";
import { useShell } from "../shell-context";

export type Found = inferRouterOutputs<AppRouter>["search"]["find"];

/** How soon a text that found nothing is searched again, in ms, while what was just created may be missing. */
const ASKS_AGAIN_AFTER_MS = 1_000;

/** The pause in typing, in ms, after which a text is searched. */
const SETTLES_AFTER_MS = 150;

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export interface Search {
  /** Of this text, or of the one before it while this one is searched; none for a text that is too short. */
  readonly found: Found | undefined;
  /** When the service answered that, in ms since 1970. */
  readonly foundAt: number;
  readonly isSearching: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
}

function isIncomplete({ filled_until: filledUntil, ...kinds }: Found): boolean {
  return filledUntil !== null && Object.values(kinds).every(({ data }) => data.length === 0);
}

/** What the service finds for a typed text. */
export function useFound(typed: string): Search {
  const { environment } = useShell();
  const trpc = useTRPC();
  const text = typed.trim();
  const settled = useSettled(text);
  const isLongEnough = text.length >= SHORTEST_SEARCH;
  const { data, dataUpdatedAt, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...trpc.search.find.queryOptions({ environment, text: settled }),
    enabled: isLongEnough && settled.length >= SHORTEST_SEARCH,
    placeholderData: keepPreviousData,
    // What is shown stays where it is: only a text that found nothing is searched again.
    refetchInterval: ({ state }) => (state.data && isIncomplete(state.data) ? ASKS_AGAIN_AFTER_MS : false),
  });
  return {
    found: isLongEnough ? data : undefined,
    foundAt: dataUpdatedAt,
    isSearching: isLongEnough && (isPending || isPlaceholderData || settled !== text),
    error: isLongEnough ? error : null,
    onRetry: () => void refetch(),
  };
}
