// Owns what a change of a view has in common with every other: the views are read again, and what was done is said.
"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client";
import { useAnnounce } from "../ui/announcer";

/** Options of a mutation: `said` tells what it came to, once it has succeeded. */
export function useViewChange<Result>(said: (result: Result) => string, onDone: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const read = () => queries.invalidateQueries({ queryKey: trpc.savedViews.list.queryKey() });
  return {
    /** The dialog goes when the menu shows what it did. */
    onSuccess: async (result: Result) => {
      await read();
      announce(said(result));
      onDone();
    },
    onError: () => void read(),
  };
}
