"use client";
import { useMutation } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";

export function PasswordForm() {
  const texts = useTexts();
  const trpc = useTRPC();
  const announce = useAnnounce();
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        announce(texts("account.passwordChanged"));
      },
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const textOf = (name: string) => {
      const value = values.get(name);
      return typeof value === "string" ? value : "";
    };
    if (change.isPending) return;
    change.mutate({ current: textOf("current"), next: textOf("next") }, { onSuccess: () => form.reset() });
  }

  return (
    <Panel>
      <form method="post" onSubmit={onSubmit} className="grid gap-4">
        <h2 className="text-lg">{texts("account.password")}</h2>
        <Field
          id="current-password"
          name="current"
          label={texts("account.currentPassword")}
          type="password"
          autoComplete="current-password"
          required
        />
        <Field
          id="new-password"
          name="next"
          label={texts("account.newPassword")}
          type="password"
          autoComplete="new-password"
          minLength={12}
          hint={texts("account.newPasswordHint")}
          required
        />
        {change.error ? (
          <Notice tone="bad" role="alert">
            {failureOf(texts, change.error).message}
          </Notice>
        ) : null}
        <Button
          type="submit"
          size="medium"
          className="justify-self-start"
          aria-disabled={change.isPending || undefined}
        >
          {change.isPending ? texts("account.changing") : texts("account.changePassword")}
        </Button>
      </form>
    </Panel>
  );
}
