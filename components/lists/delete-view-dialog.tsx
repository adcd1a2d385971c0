"use client";
import { useMutation } from "@tanstack/react-query";
import type { SavedView } from "@/server/domain/saved-view";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { useViewChange } from "./use-view-changes";

interface DeleteDialogProps {
  readonly view: SavedView;
  readonly onClose: () => void;
}

export default function DeleteDialog({ view: { id, name }, onClose }: DeleteDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.savedViews.remove.mutationOptions(useViewChange(() => texts("lists.nameIsDeleted", { name }), onClose)),
  );
  return (
    <Question
      title={texts("lists.deleteViewTitle", { name })}
      act={texts("lists.deleteView")}
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("lists.deleteViewEffect")}</p>
    </Question>
  );
}
