// Adding a passkey: the password, then the browser's own dialog.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { createPasskey } from "../trpc/passkeys";
import { useAnnounce } from "../ui/announcer";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { useAccess } from "./use-access";

const notCreatedIn = (texts: Texts) => texts("account.passkeyNotCreated");

export default function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const hasPassword = useAccess()?.has_password ?? true;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const begin = useMutation(trpc.account.beginPasskey.mutationOptions());
  const confirm = useMutation(trpc.account.confirmPasskey.mutationOptions());
  const add = useMutation({
    mutationFn: async () => {
      const options = await begin.mutateAsync({ password: hasPassword ? password : undefined });
      const registration = await createPasskey(options).catch(() => null);
      if (registration) await confirm.mutateAsync({ name, registration });
      return registration !== null;
    },
    onSuccess: (isCreated) => {
      if (!isCreated) return;
      announce(texts("account.thePasskeyIsAdded"));
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.account.passkeys.queryKey() }),
  });

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  }

  const refusal = add.error ? failureOf(texts, add.error).message : add.data === false ? notCreatedIn(texts) : null;
  return (
    <Dialog title={texts("account.addAPasskey")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="passkey-name"
          label={texts("account.name")}
          hint={texts("account.passkeyNameHint")}
          maxLength={64}
          data-first-focus=""
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {hasPassword ? (
          <Field
            id="passkey-password"
            label={texts("account.yourPassword")}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        ) : null}
        <p className="text-sm text-ink-soft">{texts("account.passkeyEndsSessions")}</p>
        <FormEnd
          refusal={refusal}
          onClose={onClose}
          action={[texts("account.continue"), texts("account.waitingForYourDevice")]}
          isPending={add.isPending}
          isIncomplete={name.trim() === "" || (hasPassword && password === "")}
        />
      </form>
    </Dialog>
  );
}
