// What a person found about the end of a refund, and what became of that.
"use client";
import { useState } from "react";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import { actorText } from "../intents/actor-text";
import { Facts } from "../intents/facts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Question } from "../trpc/question";
import { Button } from "../ui/button";
import { useRefundDecisions } from "./use-refund-decisions";

type Finding = PresentedRefund["findings"][number];

const OUTCOMES: Readonly<Record<string, string>> = { settled: "It was refunded", failed: "It was not refunded" };

const STATES = {
  proposed: "Awaits an operator of this service who is another person",
  confirmed: "Confirmed",
  rejected: "Rejected",
  superseded: "Overtaken: something happened to the refund before it was confirmed",
} as const;

export function FindingFacts({ finding }: { readonly finding: Finding }) {
  const { member } = useShell();
  const [isAsked, setAsked] = useState(false);
  const isOwn = finding.proposed_by.id === member.id;
  const verb = isOwn ? "Withdraw" : "Reject";
  return (
    <section aria-label="How it ended" className="grid gap-3 border-t border-line pt-3">
      <Facts
        facts={[
          ["How it ended", OUTCOMES[finding.outcome] ?? finding.outcome],
          ["Evidence", finding.evidence],
          finding.provider_reference === null ? null : ["Provider's reference", finding.provider_reference],
          ["Stated by", actorText(finding.proposed_by)],
          ["Stated", <LocalTime key="stated" iso={finding.proposed_at} />],
          ["State", STATES[finding.state]],
          finding.decided_by === null ? null : ["Decided by", actorText(finding.decided_by)],
          finding.decided_at === null ? null : ["Decided", <LocalTime key="decided" iso={finding.decided_at} />],
          ["Resolution", finding.id],
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
  const { rejectEnd, refresh, isSending, error } = useRefundDecisions(onClose);
  const close = () => {
    if (error) refresh();
    onClose();
  };
  return (
    <Question
      title={`${verb} the statement?`}
      act={verb}
      isSending={isSending}
      error={error}
      onAct={() => rejectEnd(finding.id)}
      onClose={close}
    >
      <p className="text-sm">The refund stays as it is. You can state again how it ended.</p>
    </Question>
  );
}
