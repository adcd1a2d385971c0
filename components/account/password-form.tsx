"use client";
import { useMutation } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";

export function PasswordForm() {
  const trpc = useTRPC();
  const announce = useAnnounce();
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        announce("Your password is changed, and your other sessions have ended.");
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
        <h2 className="text-lg">Password</h2>
        <Field
          id="current-password"
          name="current"
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Field
          id="new-password"
          name="next"
          label="New password"
          type="password"
          autoComplete="new-password"
          minLength={12}
          hint="At least 12 characters. Your other sessions end."
          required
        />
        {change.error ? (
          <Notice tone="bad" role="alert">
            {failureOf(change.error).message}
          </Notice>
        ) : null}
        <Button
          type="submit"
          size="medium"
          className="justify-self-start"
          aria-disabled={change.isPending || undefined}
        >
          {change.isPending ? "Changing…" : "Change password"}
        </Button>
      </form>
    </Panel>
  );
}
