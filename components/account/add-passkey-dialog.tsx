// Adding a passkey: the password, then the browser's own dialog.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { createPasskey } from "../trpc/passkeys";
import { useAnnounce } from "../ui/announcer";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { useAccess } from "./use-access";

const NOT_CREATED = "Your device did not create a passkey. Try again.";

export default function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
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
      announce("The passkey is added.");
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.account.passkeys.queryKey() }),
  });

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  }

  const refusal = add.error ? failureOf(add.error).message : add.data === false ? NOT_CREATED : null;
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="passkey-name"
          label="Name"
          hint="So that you recognize it in the list: the device or key that holds it."
          maxLength={64}
          data-first-focus=""
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {hasPassword ? (
          <Field
            id="passkey-password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        ) : null}
        <p className="text-sm text-ink-soft">Your other sessions end when the passkey is added.</p>
        <FormEnd
          refusal={refusal}
          onClose={onClose}
          action={["Continue", "Waiting for your device…"]}
          isPending={add.isPending}
          isIncomplete={name.trim() === "" || (hasPassword && password === "")}
        />
      </form>
    </Dialog>
  );
}
