"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Settlement } from "@/server/domain/suspense";
import type { PresentedException } from "@/server/trpc/exceptions";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { kindWordsIn, settlementWordsIn } from "./exception-words";

/** A rejection stays visible, beside the exception as it was shown, until the reader refreshes the lists. */
export function useExceptionDecisions({ id, kind }: PresentedException, onDecided: () => void) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { label } = kindWordsIn(texts)[kind];

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
  const take = useMutation(trpc.exceptions.take.mutationOptions(after(texts("exceptions.takenOn", { label }))));
  const resolve = useMutation(
    trpc.exceptions.resolve.mutationOptions(after(texts("exceptions.resolvedLabel", { label }))),
  );
  const settle = useMutation(
    trpc.exceptions.settle.mutationOptions(after(texts("exceptions.settledLabel", { label }))),
  );
  const refund = useMutation(trpc.refunds.propose.mutationOptions(after(texts("exceptions.refundProposed"))));
  const apply = useMutation(
    trpc.exceptions.applyCallback.mutationOptions({
      onSuccess({ why }) {
        if (why === null) announce(texts("exceptions.resolvedLabel", { label }));
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
        : settle.mutate({ environment, id, as, resolution: resolution || `${settlementWordsIn(texts)[as].done}.` }),
    proposeRefund: (reason: string) => refund.mutate({ environment, id, reason }),
    applyCallback: () => apply.mutate({ environment, id }),
    /** Why the callback is still unapplied after a retry; null before one, and after a successful one. */
    unappliedBecause: apply.data?.why ?? null,
    refresh,
    isSending: all.some(({ isPending }) => isPending),
    failure: error ? failureOf(texts, error) : null,
  };
}
