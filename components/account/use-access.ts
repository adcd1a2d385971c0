// How the member signs in.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client";

/** Returns undefined while it is loading. */
export function useAccess() {
  const trpc = useTRPC();
  return useQuery(trpc.account.access.queryOptions()).data;
}
