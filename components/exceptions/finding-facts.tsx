// What a person found about the end of a refund, and what became of that.
"use client";
import { useState } from "react";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { Facts } from "../intents/facts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Question } from "../trpc/question";
import { Button } from "../ui/button";
import { useRefundDecisions } from "./use-refund-decisions";

type Finding = PresentedRefund["findings"][number];

const outcomesIn = (texts: Texts): Readonly<Record<string, string>> => ({
  settled: texts("exceptions.itWasRefunded"),
  failed: texts("exceptions.itWasNotRefunded"),
});

const statesIn = (texts: Texts) =>
  ({
    proposed: texts("exceptions.awaitsOperator"),
    confirmed: texts("exceptions.confirmed"),
    rejected: texts("exceptions.rejected"),
    superseded: texts("exceptions.overtaken"),
  }) as const;

export function FindingFacts({ finding }: { readonly finding: Finding }) {
  const texts = useTexts();
  const { member } = useShell();
  const [isAsked, setAsked] = useState(false);
  const isOwn = finding.proposed_by.id === member.id;
  const verb = isOwn ? texts("exceptions.withdraw") : texts("exceptions.reject");
  return (
    <section aria-label={texts("exceptions.howItEnded")} className="grid gap-3 border-t border-line pt-3">
      <Facts
        facts={[
          [texts("exceptions.howItEnded"), outcomesIn(texts)[finding.outcome] ?? finding.outcome],
          [texts("exceptions.evidence"), finding.evidence],
          finding.provider_reference === null
            ? null
            : [texts("exceptions.providersReference"), finding.provider_reference],
          [texts("exceptions.statedBy"), actorText(texts, finding.proposed_by)],
          [texts("exceptions.stated"), <LocalTime key="stated" iso={finding.proposed_at} />],
          [texts("exceptions.state"), statesIn(texts)[finding.state]],
          finding.decided_by === null ? null : [texts("exceptions.decidedBy"), actorText(texts, finding.decided_by)],
          finding.decided_at === null
            ? null
            : [texts("exceptions.decided"), <LocalTime key="decided" iso={finding.decided_at} />],
          [texts("exceptions.resolution"), finding.id],
        ]}
      />
      {finding.state === "proposed" ? (
        <Button size="medium" className="justify-self-start" onClick={() => setAsked(true)}>
          {verb}…
        </Button>
      ) : null}
      {isAsked ? <RejectQuestion finding={finding} verb={verb} onClose={() => setAsked(false)} /> : null}
    </section>
  );
}

interface RejectQuestionProps {
  readonly finding: Finding;
  readonly verb: string;
  readonly onClose: () => void;
}

function RejectQuestion({ finding, verb, onClose }: RejectQuestionProps) {
  const texts = useTexts();
  const { rejectEnd, refresh, isSending, error } = useRefundDecisions(onClose);
  const close = () => {
    if (error) refresh();
    onClose();
  };
  return (
    <Question
      title={texts("exceptions.verbTheStatement", { verb })}
      act={verb}
      isSending={isSending}
      error={error}
      onAct={() => rejectEnd(finding.id)}
      onClose={close}
    >
      <p className="text-sm">{texts("exceptions.outcomeWithdrawEffect")}</p>
    </Question>
  );
}
