"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { useSettingChange } from "./use-setting-change";

interface NameDialogProps {
  readonly present: string;
  readonly onClose: () => void;
}

export default function NameDialog({ present, onClose }: NameDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [name, setName] = useState(present);
  const change = useMutation(
    trpc.merchantSettings.setName.mutationOptions(useSettingChange(texts("settings.theNameIsChanged"), onClose)),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!change.isPending) change.mutate({ environment, name });
  }

  return (
    <Dialog title={texts("settings.changeTheMerchantsName")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="merchant-name"
          label={texts("settings.name")}
          required
          maxLength={100}
          autoComplete="organization"
          data-first-focus=""
          hint={texts("settings.nameHint")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormEnd
          refusal={change.error ? failureOf(texts, change.error).message : null}
          onClose={onClose}
          action={[texts("settings.changeName"), texts("settings.changing")]}
          isPending={change.isPending}
          isIncomplete={name.trim() === "" || name.trim() === present}
        />
      </form>
    </Dialog>
  );
}
