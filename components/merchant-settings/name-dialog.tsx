"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
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
  const { environment } = useShell();
  const trpc = useTRPC();
  const [name, setName] = useState(present);
  const change = useMutation(
    trpc.merchantSettings.setName.mutationOptions(useSettingChange("The name is changed.", onClose)),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!change.isPending) change.mutate({ environment, name });
  }

  return (
    <Dialog title="Change the merchant's name" onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="merchant-name"
          label="Name"
          required
          maxLength={100}
          autoComplete="organization"
          data-first-focus=""
          hint="Payers read it on the payment page, members in mails. Owners receive a notice of the change."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormEnd
          refusal={change.error ? failureOf(change.error).message : null}
          onClose={onClose}
          action={["Change name", "Changing…"]}
          isPending={change.isPending}
          isIncomplete={name.trim() === "" || name.trim() === present}
        />
      </form>
    </Dialog>
  );
}
