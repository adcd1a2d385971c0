// Changes the acts that require a one-time code; the change itself requires one.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { AppRouter } from "@/server/trpc/router";
import { STEP_UP_WORDS } from "../account/step-up-words";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Notice } from "../ui/notice";

type Acts = inferRouterOutputs<AppRouter>["members"]["stepUp"]["acts"];

interface StepUpDialogProps {
  readonly acts: Acts;
  readonly onClose: () => void;
}

export default function StepUpDialog({ acts, onClose }: StepUpDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [wanted, setWanted] = useState(() => acts.filter((one) => one.is_required).map(({ act }) => act));
  const change = useMutation(
    trpc.members.setStepUp.mutationOptions({
      onSuccess: () => {
        announce("The two-factor requirements are changed.");
        onClose();
      },
      onSettled: () => {
        void queries.invalidateQueries({ queryKey: trpc.members.stepUp.queryKey() });
        void queries.invalidateQueries({ queryKey: trpc.account.totp.queryKey() });
      },
    }),
  );
  const isChanged = acts.some((one) => one.is_required !== wanted.includes(one.act));
  const shut = acts.filter(
    (one) => wanted.includes(one.act) && !one.is_required && one.with_second_factor < one.members,
  );
  return (
    <Question
      title="Two-factor requirements"
      act="Change"
      isDisabled={!isChanged}
      isSending={change.isPending}
      error={change.error}
      onAct={() => change.mutate({ environment, required_for: wanted })}
      onClose={onClose}
    >
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">Require a code when</legend>
        {acts.map(({ act }) => (
          <label key={act} className="flex min-h-8 items-center gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              className="size-4.5 shrink-0 accent-accent"
              checked={wanted.includes(act)}
              onChange={({ target }) =>
                setWanted(target.checked ? [...wanted, act] : wanted.filter((other) => other !== act))
              }
            />
            {STEP_UP_WORDS[act] ?? act}
          </label>
        ))}
      </fieldset>
      {shut.map(({ act, members, with_second_factor: withSecondFactor }) => (
        <Notice key={act} tone="plain">
          {members - withSecondFactor} of {members} members with a role for {STEP_UP_WORDS[act] ?? act} have neither
          codes nor a passkey: it is closed to them until they have.
        </Notice>
      ))}
    </Question>
  );
}
