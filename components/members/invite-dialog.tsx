"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { LinkOnce } from "./link-once";
import { RolePicker } from "./role-picker";

export default function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const { environment, member } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [roles, setRoles] = useState<readonly string[]>([]);
  const invite = useMutation(
    trpc.members.invite.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.members.list.queryKey() }),
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!invite.isPending) invite.mutate({ environment, email: email.trim(), name, roles: [...roles] });
  }

  if (invite.data) {
    return (
      <Dialog title={texts("members.memberInvited")} onClose={onClose}>
        <LinkOnce
          email={email.trim()}
          link={invite.data.link}
          expiresAt={invite.data.expires_at}
          isMailed={invite.data.is_mailed}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts("members.inviteAMember")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="member-email"
          label={texts("members.email")}
          type="email"
          required
          data-first-focus=""
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          id="member-name"
          label={texts("members.nameOptional")}
          autoComplete="off"
          maxLength={64}
          hint={texts("members.nameHint")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <RolePicker chosen={roles} mayGiveAll={member.roles.includes("owner")} onChange={setRoles} />
        <FormEnd
          refusal={invite.error ? failureOf(texts, invite.error).message : null}
          onClose={onClose}
          action={[texts("members.inviteMember"), texts("members.inviting")]}
          isPending={invite.isPending}
          isIncomplete={roles.length === 0}
        />
      </form>
    </Dialog>
  );
}
