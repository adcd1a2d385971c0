// The refunds of an exception's money: their state, who decided, and the next decision.
"use client";
import { lazy, Suspense, useState } from "react";
import type { PresentedException } from "@/server/trpc/exceptions";
import type { PresentedRefund } from "@/server/trpc/present/refund";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { type Fact, Facts } from "../intents/facts";
import { sumText } from "../money/sum-text";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { FindingFacts } from "./finding-facts";
import { refundWordsIn } from "./refund-words";

const RefundQuestion = lazy(() => import("./refund-question"));
const EndDialog = lazy(() => import("./refund-end-dialog"));

interface RefundsProps {
  readonly exception: PresentedException;
}

export default function Refunds({ exception }: RefundsProps) {
  const texts = useTexts();
  return (
    <ol aria-label={texts("exceptions.refunds")} className="grid gap-3">
      {exception.refunds.toReversed().map((refund) => (
        <li key={refund.id} className="grid gap-3 rounded-md border border-line px-4 py-3.5">
          <Refund refund={refund} />
        </li>
      ))}
    </ol>
  );
}

interface RefundProps {
  readonly refund: PresentedRefund;
}

function Refund({ refund }: RefundProps) {
  const texts = useTexts();
  const { label, tone, Icon, meaning } = refundWordsIn(texts)[refund.state];
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone={tone} Icon={Icon} label={label} />
        <span className="figures text-sm font-medium">{sumText(texts, refund.amount, refund.currency)}</span>
      </div>
      <p className="max-w-prose text-sm">{meaning}</p>
      <Facts facts={factsOf(texts, refund)} />
      {refund.findings.map((finding) => (
        <FindingFacts key={finding.id} finding={finding} />
      ))}
      {refund.state === "proposed" ? <Decision refund={refund} /> : null}
      {refund.state === "confirmed" ? <EndByHand refund={refund} /> : null}
    </>
  );
}

const decidedIn = (texts: Texts) =>
  ({
    rejected: [texts("exceptions.rejectedBy"), texts("exceptions.rejected")],
    other: [texts("exceptions.confirmedBy"), texts("exceptions.confirmed")],
  }) as const;

function factsOf(texts: Texts, refund: PresentedRefund): readonly (Fact | null)[] {
  const { decided_by: decidedBy, decided_at: decidedAt, ended_at: endedAt } = refund;
  const [by, at] = decidedIn(texts)[refund.state === "rejected" ? "rejected" : "other"];
  return [
    [texts("exceptions.reason"), refund.reason],
    [texts("exceptions.provider"), refund.provider],
    [texts("exceptions.proposedBy"), actorText(texts, refund.proposed_by)],
    [texts("exceptions.proposed"), <LocalTime key="proposed" iso={refund.proposed_at} />],
    decidedBy === null ? null : [by, actorText(texts, decidedBy)],
    decidedAt === null ? null : [at, <LocalTime key="decided" iso={decidedAt} />],
    endedAt === null ? null : [texts("exceptions.ended"), <LocalTime key="ended" iso={endedAt} />],
    [texts("exceptions.referenceAtTheProvider"), refund.reference],
  ];
}

/** Confirm or reject; who proposed it can only withdraw it. */
function Decision({ refund }: RefundProps) {
  const texts = useTexts();
  const { member } = useShell();
  const mayConfirm = useMay("decide_payouts");
  const [asked, setAsked] = useState<"confirm" | "reject" | null>(null);
  const isOwn = refund.proposed_by.id === member.id;
  return (
    <div className="grid gap-3">
      {isOwn ? <p className="text-sm text-ink-soft">{texts("exceptions.proposedByYou")}</p> : null}
      {isOwn || mayConfirm ? null : <p className="text-sm text-ink-soft">{texts("exceptions.confirmedByApprovers")}</p>}
      <div className="flex flex-wrap gap-2">
        {isOwn || !mayConfirm ? null : (
          <Button size="medium" tone="primary" onClick={() => setAsked("confirm")}>
            {texts("exceptions.confirmRefund")}
          </Button>
        )}
        <Button size="medium" onClick={() => setAsked("reject")}>
          {isOwn ? texts("exceptions.openWithdraw") : texts("exceptions.openReject")}
        </Button>
      </div>
      <Suspense>
        {asked ? <RefundQuestion refund={refund} act={asked} isOwn={isOwn} onClose={() => setAsked(null)} /> : null}
      </Suspense>
    </div>
  );
}

/** For a provider that gives no clear answer: a member states how the refund ended, and an operator confirms that. */
function EndByHand({ refund }: RefundProps) {
  const texts = useTexts();
  const { member } = useShell();
  const [isOpen, setOpen] = useState(false);
  if (refund.findings.some(({ state }) => state === "proposed")) return null;
  if (refund.proposed_by.id === member.id) return null;
  return (
    <div>
      <Button size="medium" onClick={() => setOpen(true)}>
        {texts("exceptions.stateHowItEnded")}
      </Button>
      <Suspense>{isOpen ? <EndDialog refund={refund} onClose={() => setOpen(false)} /> : null}</Suspense>
    </div>
  );
}
