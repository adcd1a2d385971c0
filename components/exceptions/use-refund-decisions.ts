"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { useAnnounce } from "../ui/announcer";

/** The decisions on refunds. The lists show the refund as it is now after each, also after a rejected one. */
export function useRefundDecisions(onDecided: () => void) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();

  function refresh(): void {
    void queries.invalidateQueries({ queryKey: trpc.exceptions.list.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.exceptions.count.queryKey() });
  }
  const after = (text: string) => ({
    onSuccess() {
      announce(text);
      refresh();
      onDecided();
    },
  });
  const confirm = useMutation(trpc.refunds.confirm.mutationOptions(after(texts("exceptions.theRefundIsConfirmed"))));
  const reject = useMutation(trpc.refunds.reject.mutationOptions(after(texts("exceptions.theRefundIsRejected"))));
  const proposeEnd = useMutation(trpc.refunds.proposeEnd.mutationOptions(after(texts("exceptions.outcomeProposed"))));
  const rejectEnd = useMutation(
    trpc.refunds.rejectEnd.mutationOptions(after(texts("exceptions.theProposalIsRejected"))),
  );
  const all = [confirm, reject, proposeEnd, rejectEnd];

  return {
    confirm: (id: string) => confirm.mutate({ environment, id }),
    reject: (id: string) => reject.mutate({ environment, id }),
    proposeEnd: (
      id: string,
      end: { outcome: "settled" | "failed"; evidence: string; provider_reference: string | null },
    ) => proposeEnd.mutate({ environment, id, ...end }),
    rejectEnd: (id: string) => rejectEnd.mutate({ environment, id }),
    refresh,
    isSending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
}
