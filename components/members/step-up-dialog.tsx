// Changes the acts that require a one-time code; the change itself requires one.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { AppRouter } from "@/server/trpc/router";
import { stepUpWordsIn } from "../account/step-up-words";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [wanted, setWanted] = useState(() => acts.filter((one) => one.is_required).map(({ act }) => act));
  const change = useMutation(
    trpc.members.setStepUp.mutationOptions({
      onSuccess: () => {
        announce(texts("members.requirementsChanged"));
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
      title={texts("members.twoFactorRequirements")}
      act={texts("members.change")}
      isDisabled={!isChanged}
      isSending={change.isPending}
      error={change.error}
      onAct={() => change.mutate({ environment, required_for: wanted })}
      onClose={onClose}
    >
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">{texts("members.requireACodeWhen")}</legend>
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
            {stepUpWordsIn(texts)[act] ?? act}
          </label>
        ))}
      </fieldset>
      {shut.map(({ act, members, with_second_factor: withSecondFactor }) => (
        <Notice key={act} tone="plain">
          {texts("members.lockedOut", {
            members: members - withSecondFactor,
            all: members,
            stepUpWords: stepUpWordsIn(texts)[act] ?? act,
          })}
        </Notice>
      ))}
    </Question>
  );
}
