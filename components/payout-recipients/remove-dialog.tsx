"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { accountText, type Recipient } from "./recipient";

interface RemoveDialogProps {
  readonly recipient: Recipient;
  readonly onClose: () => void;
}

export default function RemoveDialog({ recipient, onClose }: RemoveDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { holder_name: name } = recipient;
  const remove = useMutation(
    trpc.payoutRecipients.remove.mutationOptions({
      onSuccess: () => {
        announce(`Removed: ${name}`);
        onClose();
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.payoutRecipients.list.queryKey() }),
    }),
  );
  return (
    <Dialog title={`Remove ${name}?`} onClose={onClose}>
      <p className="text-sm">
        <strong>{name}</strong>, {accountText(recipient)}, can no longer be paid from the dashboard. Payouts that exist
        already are not changed. To pay it later, add it again; its cool-off then begins again.
      </p>
      {remove.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(remove.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          Keep recipient
        </Button>
        <Button
          size="medium"
          tone="danger"
          aria-disabled={remove.isPending || undefined}
          onClick={() => remove.isPending || remove.mutate({ environment, id: recipient.id })}
        >
          {remove.isPending ? "Removing…" : "Remove recipient"}
        </Button>
      </div>
    </Dialog>
  );
}
