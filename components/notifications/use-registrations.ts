"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";

export type Registration = inferRouterOutputs<AppRouter>["notifications"]["list"]["registrations"][number];

/** A message that waits is sent within seconds. */
const REFRESH_MS = 5_000;

/** The member's registrations in the environment, and the ways to change them. */
export function useRegistrations() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const options = {
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.notifications.list.queryKey() }),
  };
  return {
    environment,
    list: useQuery(trpc.notifications.list.queryOptions({ environment }, { refetchInterval: REFRESH_MS })),
    create: useMutation(trpc.notifications.create.mutationOptions(options)),
    update: useMutation(trpc.notifications.update.mutationOptions(options)),
    test: useMutation(trpc.notifications.test.mutationOptions(options)),
    remove: useMutation(trpc.notifications.remove.mutationOptions(options)),
  };
}
