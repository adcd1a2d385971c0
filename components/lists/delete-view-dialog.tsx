"use client";
import { useMutation } from "@tanstack/react-query";
import type { SavedView } from "@/server/domain/saved-view";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { useViewChange } from "./use-view-changes";

interface DeleteDialogProps {
  readonly view: SavedView;
  readonly onClose: () => void;
}

export default function DeleteDialog({ view: { id, name }, onClose }: DeleteDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.savedViews.remove.mutationOptions(useViewChange(() => `“${name}” is deleted.`, onClose)),
  );
  return (
    <Question
      title={`Delete “${name}”?`}
      act="Delete view"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">Only the view goes: what the list shows stays as it is.</p>
    </Question>
  );
}
