// A payout that screening holds: why, and the two decisions of those who approve payouts.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PresentedScreening } from "@/server/trpc/payout-intents";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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

const verdictTextIn = (texts: Texts) =>
  ({ allow: texts("payouts.passed"), hold: texts("payouts.held"), refuse: texts("payouts.refused") }) as const;
const decisionTextIn = (texts: Texts) =>
  ({ release: texts("payouts.thenReleased"), refuse: texts("payouts.thenRefused") }) as const;

const holdObstaclesIn = (texts: Texts) =>
  ({
    made_by_you: texts("payouts.releaseObstacleMaker"),
    authority_too_new: texts("payouts.releaseObstacleRole"),
  }) as const;

/** Returns the facts of a screening for the payout's page. */
export function screeningFacts(texts: Texts, { verdict, decision, reason, reference }: PresentedScreening): Fact[] {
  const outcome = [verdictTextIn(texts)[verdict], decision && decisionTextIn(texts)[decision]]
    .filter(Boolean)
    .join(", ");
  return [
    [texts("payouts.screening"), outcome],
    ...(reason ? [[texts("payouts.screeningReason"), reason] as Fact] : []),
    ...(reference ? [[texts("payouts.screeningCase"), reference] as Fact] : []),
  ];
}

interface HeldNoticeProps {
  readonly payout: Payout;
  readonly screening: PresentedScreening;
}

export function HeldNotice({ payout, screening }: HeldNoticeProps) {
  const texts = useTexts();
  const mayDecide = useMay("decide_payouts");
  const [asked, setAsked] = useState<HoldDecision | null>(null);
  return (
    <Notice tone="plain">
      <div className="grid gap-3">
        <p>
          {texts.rich("payouts.heldNotice", {
            strong: (words) => <strong>{words}</strong>,
            reason: screening.reason ?? texts("payouts.screenedWithoutReason"),
          })}
        </p>
        {mayDecide && screening.obstacle ? <p>{holdObstaclesIn(texts)[screening.obstacle]}</p> : null}
        {mayDecide ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="medium"
              tone="primary"
              disabled={screening.obstacle !== null}
              onClick={() => setAsked("release")}
            >
              {texts("payouts.openRelease")}
            </Button>
            <Button size="medium" onClick={() => setAsked("refuse")}>
              {texts("payouts.openRefuse")}
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { id } = payout;
  const decide = useMutation(
    trpc.payoutIntents.decideHold.mutationOptions({
      onSuccess: () => {
        announce(decision === "release" ? texts("payouts.thePayoutIsReleased") : texts("payouts.thePayoutIsRefused"));
        onClose();
      },
      onSettled: () =>
        void queries.invalidateQueries({ queryKey: trpc.payoutIntents.get.queryKey({ environment, id }) }),
    }),
  );
  const isRelease = decision === "release";
  return (
    <Question
      title={texts("payouts.screeningTitle", {
        act: isRelease ? texts("payouts.release") : texts("payouts.refuse"),
        sum: sumOf(texts, payout),
      })}
      act={isRelease ? texts("payouts.release") : texts("payouts.refuse")}
      isDangerous={!isRelease}
      isSending={decide.isPending}
      error={decide.error}
      onAct={() => decide.mutate({ environment, id, decision })}
      onClose={onClose}
    >
      <p className="text-sm">
        {isRelease
          ? texts("payouts.releaseEffect", { holderName: payout.recipient.holder_name })
          : texts("payouts.refuseEffect", { holderName: payout.recipient.holder_name })}
      </p>
    </Question>
  );
}
