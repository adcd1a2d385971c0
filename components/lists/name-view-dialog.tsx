// Names a new view, or renames an existing one.
"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useRef, useState } from "react";
import { LONGEST_VIEW_NAME, type SavedView, type ViewList } from "@/server/domain/saved-view";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failedField } from "../trpc/failed-field";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { useViewChange } from "./use-view-changes";

type NameDialogProps = {
  readonly list: ViewList;
  readonly onClose: () => void;
} & ({ readonly query: string } | { readonly view: SavedView });

/** The error in the name, to show below it; null if the rejection has another cause. */
function nameComplaint(texts: Texts, error: unknown): string | null {
  const { message } = failureOf(texts, error);
  return failedField(error) === "name" ? texts("lists.theMessage", { message }) : null;
}

export default function NameDialog({ list, onClose, ...subject }: NameDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const view = "view" in subject ? subject.view : null;
  const [name, setName] = useState(view?.name ?? "");
  const [isMissing, setMissing] = useState(false);
  const focusName = (error: unknown) => {
    if (nameComplaint(texts, error) !== null) field.current?.focus();
  };
  const saving = useViewChange<SavedView>((kept) => texts("lists.savedAsName", { name: kept.name }), onClose);
  const renaming = useViewChange<SavedView>((kept) => texts("lists.renamedToName", { name: kept.name }), onClose);
  const save = useMutation(trpc.savedViews.save.mutationOptions(saving));
  const rename = useMutation(trpc.savedViews.rename.mutationOptions(renaming));
  const { isPending, error } = view ? rename : save;

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isPending) return;
    setMissing(name.trim() === "");
    if (name.trim() === "") field.current?.focus();
    else if ("view" in subject) rename.mutate({ environment, id: subject.view.id, name }, { onError: focusName });
    else save.mutate({ environment, list, name, query: subject.query }, { onError: focusName });
  }

  const complaint = isMissing ? texts("lists.giveItAName") : error ? nameComplaint(texts, error) : null;
  return (
    <Dialog title={view ? texts("lists.renameTitle", { name: view.name }) : texts("lists.saveView")} onClose={onClose}>
      <form noValidate onSubmit={onSubmit} className="grid gap-4">
        <Field
          ref={field}
          id={id}
          label={texts("lists.name")}
          required
          maxLength={LONGEST_VIEW_NAME}
          data-first-focus=""
          autoComplete="off"
          {...(view ? {} : { hint: texts("lists.saveViewHint") })}
          error={complaint ?? undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormEnd
          refusal={error && !isMissing && complaint === null ? failureOf(texts, error).message : null}
          onClose={onClose}
          action={
            view ? [texts("lists.rename"), texts("lists.renaming")] : [texts("lists.saveView"), texts("lists.saving")]
          }
          isPending={isPending}
        />
      </form>
    </Dialog>
  );
}
