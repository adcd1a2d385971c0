// Changes one member: roles, access, sessions, a link for a new password.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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

const awaitsConfirmationIn = (texts: Texts) => texts("members.needsSecondPerson");

function useMemberChanges(id: string, onDone: () => void) {
  const texts = useTexts();
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
        done(isComplete ? texts("members.rolesChanged") : awaitsConfirmationIn(texts))();
      },
      onSettled,
    }),
  );
  const setTestRoles = useMutation(
    trpc.members.setTestRoles.mutationOptions({
      onSuccess: done(texts("members.testRolesChanged")),
      onSettled,
    }),
  );
  const disable = useMutation(
    trpc.members.disable.mutationOptions({ onSuccess: done(texts("members.memberDisabled")), onSettled }),
  );
  const enable = useMutation(
    trpc.members.enable.mutationOptions({
      onSuccess: ({ awaits_confirmation: awaits }) =>
        done(awaits ? awaitsConfirmationIn(texts) : texts("members.letInAgain"))(),
      onSettled,
    }),
  );
  const end = useMutation(
    trpc.members.endSessions.mutationOptions({ onSuccess: done(texts("members.signedOutEverywhere")), onSettled }),
  );
  const reset = useMutation(trpc.members.resetPassword.mutationOptions({ onSettled }));
  const revoke = useMutation(
    trpc.members.revokeLink.mutationOptions({ onSuccess: done(texts("members.invitationWithdrawn")), onSettled }),
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
  const texts = useTexts();
  const { member: me } = useShell();
  const [roles, setRoles] = useState<readonly string[]>(member.roles);
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const changes = useMemberChanges(member.id, onClose);
  if (changes.link) {
    return (
      <Dialog title={texts("members.oneTimeLink")} onClose={onClose}>
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
    <Dialog title={actorText(texts, { type: "member", name: member.name, address: member.email })} onClose={onClose}>
      {changes.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, changes.error).message}
        </Notice>
      ) : null}
      <RolePicker chosen={roles} held={member.roles} mayGiveAll={me.roles.includes("owner")} onChange={setRoles} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {texts("members.close")}
        </Button>
        <Button
          size="medium"
          tone="primary"
          disabled={isSame || (roles.length === 0 && !member.test_roles?.length)}
          onClick={unless(() => changes.setRoles(roles))}
        >
          {texts("members.saveRoles")}
        </Button>
      </div>
      <TestRoles given={member.test_roles} onSave={(wanted) => changes.isPending || changes.setTestRoles(wanted)} />
      <div className="grid gap-3 border-t border-line pt-4">
        <h3 className="text-sm">{texts("members.access")}</h3>
        <Facts
          facts={[
            [texts("members.secondFactor"), <SecondFactor key="factor" member={member} />],
            [
              texts("members.lastSignIn"),
              member.last_sign_in_at === null ? texts("members.never") : <Age iso={member.last_sign_in_at} />,
            ],
            [texts("members.openSessions"), member.open_sessions],
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <Button size="medium" onClick={ask("end")}>
            {texts("members.openEndSessions")}
          </Button>
          <Button size="medium" onClick={ask("reset")}>
            {member.has_password ? texts("members.openResetPassword") : texts("members.newLink")}
          </Button>
          {member.link_expires_at === null ? null : (
            <Button size="medium" onClick={unless(changes.revoke)}>
              {texts("members.revokeLink")}
            </Button>
          )}
          {member.disabled_at === null ? (
            <Button size="medium" tone="danger" onClick={ask("disable")}>
              {texts("members.openDisable")}
            </Button>
          ) : (
            <Button size="medium" onClick={unless(changes.enable)}>
              {texts("members.enable")}
            </Button>
          )}
        </div>
        <p className="caption">{texts("members.changesVoidLink")}</p>
      </div>
    </Dialog>
  );
}
