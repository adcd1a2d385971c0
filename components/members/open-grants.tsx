// The roles that wait for a second person's confirmation.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { rolesText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import type { Member, RoleGrant } from "./member";

interface OpenGrantsProps {
  readonly grants: readonly RoleGrant[];
  readonly members: readonly Member[];
}

export function OpenGrants({ grants, members }: OpenGrantsProps) {
  const texts = useTexts();
  if (grants.length === 0) return null;
  const addressOf = (id: string) => {
    const member = members.find((one) => one.id === id);
    return member ? actorText(texts, { type: "member", name: member.name, address: member.email }) : id;
  };
  return (
    <section aria-labelledby="open-grants" className="grid gap-3">
      <h2 id="open-grants" className="font-medium">
        {texts("members.proposals")}
      </h2>
      <ul className="grid gap-2">
        {grants.map((grant) => (
          <OpenGrant
            key={grant.id}
            grant={grant}
            email={addressOf(grant.member_id)}
            proposer={addressOf(grant.proposed_by_id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface OpenGrantProps {
  readonly grant: RoleGrant;
  readonly email: string;
  readonly proposer: string;
}

function OpenGrant({ grant, email, proposer }: OpenGrantProps) {
  const texts = useTexts();
  const { environment, member: me } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const onSettled = () => void queries.invalidateQueries({ queryKey: trpc.members.list.queryKey() });
  const confirm = useMutation(
    trpc.members.confirmGrant.mutationOptions({
      onSuccess: () => announce(texts("members.rolesGiven", { email })),
      onSettled,
    }),
  );
  const reject = useMutation(
    trpc.members.rejectGrant.mutationOptions({
      onSuccess: () => announce(texts("members.rolesNotGiven")),
      onSettled,
    }),
  );
  const isPending = confirm.isPending || reject.isPending;
  const error = confirm.error ?? reject.error;
  const isProposer = grant.proposed_by_id === me.id;
  const isMine = isProposer || grant.member_id === me.id;
  const input = { environment, grant_id: grant.id };
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-surface p-4">
      <p className="wrap-anywhere">
        <span className="font-medium">{email}</span>{" "}
        {grant.enables ? texts("members.toBeEnabledAs") : texts("members.isToBecome")} {rolesText(texts, grant.roles)}
      </p>
      <p className="caption wrap-anywhere">
        {texts.rich("members.proposedByProposer", { proposer, age: () => <Age iso={grant.proposed_at} /> })}
        {isMine ? texts("members.sentenceAnotherMustConfirm") : null}
      </p>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isMine ? null : (
          <Button
            size="small"
            tone="primary"
            disabled={isPending}
            aria-label={texts("members.confirmTitle", { email })}
            onClick={() => confirm.mutate(input)}
          >
            {texts("members.confirm")}
          </Button>
        )}
        <Button
          size="small"
          disabled={isPending}
          aria-label={texts("members.endProposalTitle", {
            act: isProposer ? texts("members.withdraw") : texts("members.reject"),
            email,
          })}
          onClick={() => reject.mutate(input)}
        >
          {isProposer ? texts("members.withdraw") : texts("members.reject")}
        </Button>
      </div>
    </li>
  );
}
