// What colleagues call the member. The address stays beside the name wherever somebody decides about money.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";

export function NamePanel() {
  const texts = useTexts();
  const { member } = useShell();
  const trpc = useTRPC();
  const router = useRouter();
  const announce = useAnnounce();
  const [name, setName] = useState(member.name ?? "");
  const change = useMutation(
    trpc.account.changeName.mutationOptions({
      onSuccess: ({ name: stored }) => {
        setName(stored ?? "");
        announce(stored === null ? texts("account.yourNameIsRemoved") : texts("account.yourNameIsChanged"));
        // The frame around this page shows the name, too.
        router.refresh();
      },
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!change.isPending) change.mutate({ name: name.trim() === "" ? null : name });
  }

  return (
    <Panel>
      <form method="post" onSubmit={onSubmit} className="grid gap-4">
        <h2 className="text-lg">{texts("account.name")}</h2>
        <Field
          id="member-name"
          label={texts("account.yourName")}
          autoComplete="name"
          maxLength={64}
          hint={texts("account.nameHint", { email: member.email })}
          value={name}
          onChange={(event) => setName(event.target.value)}
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
          disabled={name.trim() === (member.name ?? "")}
          aria-disabled={change.isPending || undefined}
        >
          {change.isPending ? texts("account.saving") : texts("account.saveName")}
        </Button>
      </form>
    </Panel>
  );
}
