// Changes one member: roles, access, sessions, a link for a new password.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { actorText } from "../intents/actor-text";
import { Facts } from "../intents/facts";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { AccessQuestion, type AskedAct } from "./access-question";
import { LinkOnce } from "./link-once";
import type { Member } from "./member";
import { SecondFactor } from "./member-row";
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
  const revoke = useMutation(
    trpc.members.revokeLink.mutationOptions({ onSuccess: done("The link does not work any more."), onSettled }),
  );
  const all = [setRoles, setTestRoles, disable, enable, end, reset, revoke];
  return {
    setRoles: (roles: readonly string[]) => setRoles.mutate({ environment, id, roles: [...roles] }),
    setTestRoles: (roles: readonly string[] | null) =>
      setTestRoles.mutate({ environment, id, roles: roles && [...roles] }),
    disable: () => disable.mutate({ environment, id }),
    enable: () => enable.mutate({ environment, id }),
    end: () => end.mutate({ environment, id }),
    reset: () => reset.mutate({ environment, id }),
    revoke: () => revoke.mutate({ environment, id }),
    /** Forgets the errors of earlier changes. */
    clear: () => {
      for (const one of all) one.reset();
    },
    link: reset.data,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error,
  };
}

export default function ManageDialog({ member, onClose }: ManageDialogProps) {
  const { member: me } = useShell();
  const [roles, setRoles] = useState<readonly string[]>(member.roles);
  const [asked, setAsked] = useState<AskedAct | null>(null);
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
  const ask = (act: AskedAct) => () => {
    changes.clear();
    setAsked(act);
  };
  if (asked) {
    return (
      <AccessQuestion
        member={member}
        asked={asked}
        isSending={changes.isPending}
        error={changes.error}
        onAct={changes[asked]}
        onClose={() => setAsked(null)}
      />
    );
  }
  const isSame = roles.length === member.roles.length && roles.every((role) => member.roles.includes(role));
  const unless = (act: () => void) => () => changes.isPending || act();
  return (
    <Dialog title={actorText({ type: "member", name: member.name, address: member.email })} onClose={onClose}>
      {changes.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(changes.error).message}
        </Notice>
      ) : null}
      <RolePicker chosen={roles} held={member.roles} mayGiveAll={me.roles.includes("owner")} onChange={setRoles} />
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
        <Facts
          facts={[
            ["Second factor", <SecondFactor key="factor" member={member} />],
            ["Last sign-in", member.last_sign_in_at === null ? "never" : <Age iso={member.last_sign_in_at} />],
            ["Open sessions", member.open_sessions],
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <Button size="medium" onClick={ask("end")}>
            End all sessions…
          </Button>
          <Button size="medium" onClick={ask("reset")}>
            {member.has_password ? "Reset password…" : "New link…"}
          </Button>
          {member.link_expires_at === null ? null : (
            <Button size="medium" onClick={unless(changes.revoke)}>
              Revoke link
            </Button>
          )}
          {member.disabled_at === null ? (
            <Button size="medium" tone="danger" onClick={ask("disable")}>
              Disable…
            </Button>
          ) : (
            <Button size="medium" onClick={unless(changes.enable)}>
              Enable
            </Button>
          )}
        </div>
        <p className="caption">Any change of roles or access voids a link that was not used yet.</p>
      </div>
    </Dialog>
  );
}
