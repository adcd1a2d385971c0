// What all changes of a view share: the views are fetched again, and the result is announced.
"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client";
import { useAnnounce } from "../ui/announcer";

/** Mutation options; `said` returns the announcement of a success. */
export function useViewChange<Result>(said: (result: Result) => string, onDone: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const read = () => queries.invalidateQueries({ queryKey: trpc.savedViews.list.queryKey() });
  return {
    /** Closes the dialog once the menu shows the change. */
    onSuccess: async (result: Result) => {
      await read();
      announce(said(result));
      onDone();
    },
    onError: () => void read(),
  };
}
