"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { type Payout, sumAndRecipient } from "./payout";

interface Decision {
  /** The payout after the decision. */
  readonly onDecided: (payout: Payout) => void;
}

/** Approves or cancels a payout. A rejection stays with the mutation, and the payout is fetched again. */
export function useDecisions(payout: Payout, { onDecided }: Decision) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();

  function refresh(): void {
    void queries.invalidateQueries({ queryKey: trpc.payoutIntents.watch.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.payoutIntents.waiting.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.payoutIntents.get.queryKey({ environment, id: payout.id }) });
    void queries.invalidateQueries({ queryKey: trpc.wallets.list.queryKey() });
  }

  const approve = useMutation(
    trpc.payoutIntents.approve.mutationOptions({
      onSuccess(after) {
        const isOpen = after.status === "requires_approval";
        announce(
          texts("payouts.approvedToast", {
            sumAndRecipient: sumAndRecipient(texts, after),
            missing: isOpen ? texts("payouts.approvalMissing") : "",
          }),
        );
        onDecided(after);
      },
      onSettled: refresh,
    }),
  );
  const cancel = useMutation(
    trpc.payoutIntents.cancel.mutationOptions({
      onSuccess(after) {
        announce(texts("payouts.cancelledToast", { sumAndRecipient: sumAndRecipient(texts, after) }));
        onDecided(after);
      },
      onSettled: refresh,
    }),
  );

  return {
    approve: () => approve.mutate({ environment, id: payout.id, digest: payout.digest }),
    cancel: (reason: string) => cancel.mutate({ environment, id: payout.id, ...(reason === "" ? {} : { reason }) }),
    isSending: approve.isPending || cancel.isPending,
    failure: approve.error || cancel.error ? failureOf(texts, approve.error ?? cancel.error) : null,
  };
}
