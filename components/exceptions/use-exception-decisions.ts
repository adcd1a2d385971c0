"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Settlement } from "@/server/domain/suspense";
import type { PresentedException } from "@/server/trpc/exceptions";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { KIND_WORDS, SETTLEMENT_WORDS } from "./exception-words";

/** A rejection stays visible, beside the exception as it was shown, until the reader refreshes the lists. */
export function useExceptionDecisions({ id, kind }: PresentedException, onDecided: () => void) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { label } = KIND_WORDS[kind];

  function refresh(): void {
    void queries.invalidateQueries({ queryKey: trpc.exceptions.list.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.exceptions.count.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() });
  }

  const after = (text: string) => ({
    onSuccess() {
      announce(text);
      refresh();
      onDecided();
    },
  });
  const take = useMutation(trpc.exceptions.take.mutationOptions(after(`You have taken it on: ${label}`)));
  const resolve = useMutation(trpc.exceptions.resolve.mutationOptions(after(`Resolved: ${label}`)));
  const settle = useMutation(trpc.exceptions.settle.mutationOptions(after(`Settled: ${label}`)));
  const refund = useMutation(trpc.refunds.propose.mutationOptions(after("The refund awaits another person.")));
  const apply = useMutation(
    trpc.exceptions.applyCallback.mutationOptions({
      onSuccess({ why }) {
        if (why === null) announce(`Resolved: ${label}`);
        void queries.invalidateQueries({ queryKey: trpc.exceptions.callback.queryKey() });
        refresh();
      },
    }),
  );
  const all = [take, resolve, settle, refund, apply];
  const error = all.find((act) => act.error !== null)?.error;

  return {
    take: () => take.mutate({ environment, id }),
    decide: (as: Settlement | null, resolution: string) =>
      as === null
        ? resolve.mutate({ environment, id, resolution })
        : settle.mutate({ environment, id, as, resolution: resolution || `${SETTLEMENT_WORDS[as].done}.` }),
    proposeRefund: (reason: string) => refund.mutate({ environment, id, reason }),
    applyCallback: () => apply.mutate({ environment, id }),
    /** Why the callback is still unapplied after a retry; null before one, and after a successful one. */
    unappliedBecause: apply.data?.why ?? null,
    refresh,
    isSending: all.some(({ isPending }) => isPending),
    failure: error ? failureOf(error) : null,
  };
}
