"use client";
import { useQuery } from "@tanstack/react-query";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import { useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";

const ASK_EVERY_MS = 5_000;

/** The health of every endpoint, or of the one named, by endpoint id; kept current. */
export function useHealth(id?: string): ReadonlyMap<string, PresentedHealth> {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.webhookEndpoints.health.queryOptions({ environment, ...(id !== undefined && { id }) }, BACKGROUND),
    refetchInterval: ASK_EVERY_MS,
  });
  return new Map(data?.map((health) => [health.webhook_endpoint_id, health]));
}
