"use client";
import { useQuery } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";

/** The saved recipients, the currencies that they can have, and the cool-off of a new one. */
export function useRecipients() {
  const { environment } = useShell();
  const trpc = useTRPC();
  return useQuery(trpc.payoutRecipients.list.queryOptions({ environment }));
}
