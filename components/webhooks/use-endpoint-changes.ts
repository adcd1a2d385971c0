"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { EventType } from "@/server/domain/events";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";

/** A rejection stays with its change until the next one. */
export function useEndpointChanges(id: string) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();

  function refresh(): void {
    void queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.list.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.get.queryKey({ environment, id }) });
    void queries.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() });
  }

  const update = useMutation(
    trpc.webhookEndpoints.update.mutationOptions({
      onSuccess: ({ state, missed }) => {
        const left = missed ? texts("webhooks.didNotReachIt", { count: missed.deliveries }) : "";
        announce(state === "paused" ? texts("webhooks.pausedHint") : texts("webhooks.enabledLeft", { left }));
      },
      onSettled: refresh,
    }),
  );
  const edit = useMutation(
    trpc.webhookEndpoints.update.mutationOptions({
      onSuccess: () => announce(texts("webhooks.saved")),
      onSettled: refresh,
    }),
  );
  const test = useMutation(trpc.webhookEndpoints.test.mutationOptions());
  const rotate = useMutation(trpc.webhookEndpoints.rotateSecret.mutationOptions({ onSettled: refresh }));
  const replay = useMutation(
    trpc.deliveries.replay.mutationOptions({
      onSuccess: ({ deliveries, has_more: hasMore }) =>
        announce(texts(hasMore ? "webhooks.dueNowAndMore" : "webhooks.dueNow", { count: deliveries })),
      onSettled: refresh,
    }),
  );
  const remove = useMutation(
    trpc.webhookEndpoints.remove.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.list.queryKey() }),
    }),
  );
  const error = update.error ?? test.error;

  return {
    setState: (state: "enabled" | "paused") => update.mutate({ environment, id, state }),
    test: (type: EventType) => test.mutate({ environment, id, type }),
    tested: test.data,
    isTesting: test.isPending,
    isChanging: update.isPending,
    failure: error ? failureOf(texts, error) : null,
    edit,
    rotate,
    replay,
    remove,
    environment,
  };
}

export type EndpointChanges = ReturnType<typeof useEndpointChanges>;
