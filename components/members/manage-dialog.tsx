// Changes one member: roles, access, sessions, a link for a new password.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { LinkOnce } from "./link-once";
import type { Member } from "./member";
import { RolePicker } from "./role-picker";
import { TestRoles } from "./test-roles";

interface ManageDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

const AWAITS_CONFIRMATION = "Another owner or admin must confirm it.";

function useMemberChanges(id: string, onDone: () => void) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const onSettled = () => void queries.invalidateQueries({ queryKey: trpc.members.list.queryKey() });
  const done = (text: string) => () => {
    announce(text);
    onDone();
  };
  const setRoles = useMutation(
    trpc.members.setRoles.mutationOptions({
      onSuccess: ({ roles }, input) => {
        const isComplete = input.roles.every((role) => roles.some((given) => given === role));
        done(isComplete ? "The roles hold from the next call on." : AWAITS_CONFIRMATION)();
      },
      onSettled,
    }),
  );
  const setTestRoles = useMutation(
    trpc.members.setTestRoles.mutationOptions({
      onSuccess: done("The roles in test hold from the next call on."),
      onSettled,
    }),
  );
  const disable = useMutation(
    trpc.members.disable.mutationOptions({ onSuccess: done("Kept out from now on."), onSettled }),
  );
  const enable = useMutation(
    trpc.members.enable.mutationOptions({
      onSuccess: ({ awaits_confirmation: awaits }) => done(awaits ? AWAITS_CONFIRMATION : "Let in again.")(),
      onSettled,
    }),
  );
  const end = useMutation(
    trpc.members.endSessions.mutationOptions({ onSuccess: done("Signed out everywhere."), onSettled }),
  );
  const reset = useMutation(trpc.members.resetPassword.mutationOptions({ onSettled }));
  const all = [setRoles, setTestRoles, disable, enable, end, reset];
  return {
    setRoles: (roles: readonly string[]) => setRoles.mutate({ environment, id, roles: [...roles] }),
    setTestRoles: (roles: readonly string[] | null) =>
      setTestRoles.mutate({ environment, id, roles: roles && [...roles] }),
    disable: () => disable.mutate({ environment, id }),
    enable: () => enable.mutate({ environment, id }),
    end: () => end.mutate({ environment, id }),
    reset: () => reset.mutate({ environment, id }),
    link: reset.data,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error,
  };
}

export default function ManageDialog({ member, onClose }: ManageDialogProps) {
  const { member: me } = useShell();
  const [roles, setRoles] = useState<readonly string[]>(member.roles);
  const changes = useMemberChanges(member.id, onClose);
  if (changes.link) {
    return (
      <Dialog title="One-time link" onClose={onClose}>
        <LinkOnce
          email={member.email}
          link={changes.link.link}
          expiresAt={changes.link.expires_at}
          isMailed={changes.link.is_mailed}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  const isSame = roles.length === member.roles.length && roles.every((role) => member.roles.includes(role));
  const unless = (act: () => void) => () => changes.isPending || act();
  return (
    <Dialog title={member.email} onClose={onClose}>
      {changes.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(changes.error).message}
        </Notice>
      ) : null}
      <RolePicker chosen={roles} mayGiveAll={me.roles.includes("owner")} onChange={setRoles} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          Close
        </Button>
        <Button
          size="medium"
          tone="primary"
          disabled={isSame || (roles.length === 0 && !member.test_roles?.length)}
          onClick={unless(() => changes.setRoles(roles))}
        >
          Save roles
        </Button>
      </div>
      <TestRoles given={member.test_roles} onSave={(wanted) => changes.isPending || changes.setTestRoles(wanted)} />
      <div className="grid gap-3 border-t border-line pt-4">
        <h3 className="text-sm">Access</h3>
        <div className="flex flex-wrap gap-2">
          <Button size="medium" onClick={unless(changes.end)}>
            End all sessions
          </Button>
          <Button size="medium" onClick={unless(changes.reset)}>
            {member.has_password ? "Reset password" : "New link"}
          </Button>
          {member.disabled_at === null ? (
            <Button size="medium" tone="danger" onClick={unless(changes.disable)}>
              Disable
            </Button>
          ) : (
            <Button size="medium" onClick={unless(changes.enable)}>
              Enable
            </Button>
          )}
        </div>
        <p className="caption">
          A reset ends the password and every session; they choose a new password by a link. Any change voids a link
          that was not used yet. Disabling ends every session and locks them out until somebody enables them.
        </p>
      </div>
    </Dialog>
  );
}
