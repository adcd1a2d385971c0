// A payout that screening holds: why, and the two decisions of those who approve payouts.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PresentedScreening } from "@/server/trpc/payout-intents";
import type { Fact } from "../intents/facts";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { type Payout, sumOf } from "./payout";

type HoldDecision = NonNullable<PresentedScreening["decision"]>;

/** True while a person must decide. */
export function isHeld({ status }: Pick<Payout, "status">, { verdict, decision }: PresentedScreening): boolean {
  return status === "processing" && verdict === "hold" && decision === null;
}

const VERDICT_TEXT = { allow: "Passed", hold: "Held", refuse: "Refused" } as const;
const DECISION_TEXT = { release: "then released", refuse: "then refused" } as const;

const HOLD_OBSTACLES = {
  made_by_you: "You made this payout, so you cannot release it.",
  authority_too_new: "This payout is older than your authority to approve, so you cannot release it.",
} as const;

/** Returns the facts of a screening for the payout's page. */
export function screeningFacts({ verdict, decision, reason, reference }: PresentedScreening): Fact[] {
  const outcome = [VERDICT_TEXT[verdict], decision && DECISION_TEXT[decision]].filter(Boolean).join(", ");
  return [
    ["Screening", outcome],
    ...(reason ? [["Screening reason", reason] as Fact] : []),
    ...(reference ? [["Screening case", reference] as Fact] : []),
  ];
}

interface HeldNoticeProps {
  readonly payout: Payout;
  readonly screening: PresentedScreening;
}

export function HeldNotice({ payout, screening }: HeldNoticeProps) {
  const mayDecide = useMay("decide_payouts");
  const [asked, setAsked] = useState<HoldDecision | null>(null);
  return (
    <Notice tone="plain">
      <div className="grid gap-3">
        <p>
          <strong>Held by screening.</strong> {screening.reason ?? "The screener gave no reason."} The payout is sent
          only after somebody who did not make it releases it.
        </p>
        {mayDecide && screening.obstacle ? <p>{HOLD_OBSTACLES[screening.obstacle]}</p> : null}
        {mayDecide ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="medium"
              tone="primary"
              disabled={screening.obstacle !== null}
              onClick={() => setAsked("release")}
            >
              Release…
            </Button>
            <Button size="medium" onClick={() => setAsked("refuse")}>
              Refuse…
            </Button>
          </div>
        ) : null}
        {asked === null ? null : <HoldQuestion payout={payout} decision={asked} onClose={() => setAsked(null)} />}
      </div>
    </Notice>
  );
}

interface HoldQuestionProps {
  readonly payout: Payout;
  readonly decision: HoldDecision;
  readonly onClose: () => void;
}

function HoldQuestion({ payout, decision, onClose }: HoldQuestionProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { id } = payout;
  const decide = useMutation(
    trpc.payoutIntents.decideHold.mutationOptions({
      onSuccess: () => {
        announce(decision === "release" ? "The payout is released." : "The payout is refused.");
        onClose();
      },
      onSettled: () =>
        void queries.invalidateQueries({ queryKey: trpc.payoutIntents.get.queryKey({ environment, id }) }),
    }),
  );
  const isRelease = decision === "release";
  return (
    <Question
      title={`${isRelease ? "Release" : "Refuse"} the payout of ${sumOf(payout)}?`}
      act={isRelease ? "Release" : "Refuse"}
      isDangerous={!isRelease}
      isSending={decide.isPending}
      error={decide.error}
      onAct={() => decide.mutate({ environment, id, decision })}
      onClose={onClose}
    >
      <p className="text-sm">
        {isRelease
          ? `${payout.recipient.holder_name} is paid at once. It cannot be taken back.`
          : `${payout.recipient.holder_name} is not paid, and the sum becomes available in your wallet again.`}
      </p>
    </Question>
  );
}
