"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { holder_name: name } = recipient;
  const remove = useMutation(
    trpc.payoutRecipients.remove.mutationOptions({
      onSuccess: () => {
        announce(texts("recipients.removedName", { name }));
        onClose();
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.payoutRecipients.list.queryKey() }),
    }),
  );
  return (
    <Dialog title={texts("recipients.removeTitle", { name })} onClose={onClose}>
      <p className="text-sm">
        {texts.rich("recipients.removeEffect", {
          strong: (words) => <strong>{words}</strong>,
          name,
          account: accountText(texts, recipient),
        })}
      </p>
      {remove.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, remove.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          {texts("recipients.keepRecipient")}
        </Button>
        <Button
          size="medium"
          tone="danger"
          aria-disabled={remove.isPending || undefined}
          onClick={() => remove.isPending || remove.mutate({ environment, id: recipient.id })}
        >
          {remove.isPending ? texts("recipients.removing") : texts("recipients.removeRecipient")}
        </Button>
      </div>
    </Dialog>
  );
}
