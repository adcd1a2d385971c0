// Other top-up terms that one owner proposed, for another owner or admin to decide on.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { Facts } from "../intents/facts";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { Button } from "../ui/button";
import { type MerchantSettings, policyFacts } from "./settings";
import { useSettingChange } from "./use-setting-change";

type Proposal = NonNullable<MerchantSettings["proposed_topup_terms"]>;

export function TopupProposal({ proposal }: { readonly proposal: Proposal }) {
  const texts = useTexts();
  const mayDecide = useMay("decide_settings");
  const [asked, setAsked] = useState<"confirm" | "reject" | null>(null);
  const { is_mine: isMine } = proposal;
  return (
    <section aria-labelledby="topup-proposal" className="grid gap-3 border-t border-line pt-4">
      <h3 id="topup-proposal" className="text-sm">
        {texts("settings.proposedStatus")}
      </h3>
      <Facts
        facts={[
          ...policyFacts(texts, proposal.wanted),
          [texts("settings.proposedBy"), actorText(texts, proposal.proposed_by)],
          [texts("settings.proposed"), <LocalTime key="proposed" iso={proposal.proposed_at} />],
        ]}
      />
      {mayDecide ? (
        <div className="flex flex-wrap items-center gap-3">
          {isMine ? (
            <p className="text-sm">{texts("settings.proposedByYou")}</p>
          ) : (
            <Button size="medium" tone="primary" onClick={() => setAsked("confirm")}>
              {texts("settings.openConfirm")}
            </Button>
          )}
          <Button size="medium" onClick={() => setAsked("reject")}>
            {isMine ? texts("settings.openWithdraw") : texts("settings.openReject")}
          </Button>
        </div>
      ) : null}
      {asked ? <DecideQuestion proposal={proposal} act={asked} onClose={() => setAsked(null)} /> : null}
    </section>
  );
}

interface DecideQuestionProps {
  readonly proposal: Proposal;
  readonly act: "confirm" | "reject";
  readonly onClose: () => void;
}

function DecideQuestion({ proposal, act, onClose }: DecideQuestionProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const isConfirm = act === "confirm";
  const done = useSettingChange(
    isConfirm ? texts("settings.termsInEffect") : texts("settings.theProposalIsGone"),
    onClose,
  );
  const confirm = useMutation(trpc.merchantSettings.confirmTopupPolicies.mutationOptions(done));
  const reject = useMutation(trpc.merchantSettings.rejectTopupPolicies.mutationOptions(done));
  const mutation = isConfirm ? confirm : reject;
  const verb = isConfirm
    ? texts("settings.confirm")
    : proposal.is_mine
      ? texts("settings.withdraw")
      : texts("settings.reject");
  return (
    <Question
      title={texts("settings.verbTheTopupTerms", { verb })}
      act={verb}
      isSending={mutation.isPending}
      error={mutation.error}
      onAct={() => mutation.mutate({ environment, id: proposal.id })}
      onClose={onClose}
    >
      {isConfirm ? (
        <>
          <p className="text-sm">
            {texts("settings.proposalAbout", { actor: actorText(texts, proposal.proposed_by) })}
          </p>
          <Facts facts={policyFacts(texts, proposal.wanted)} />
        </>
      ) : (
        <p className="text-sm">{texts("settings.endProposalEffect")}</p>
      )}
    </Question>
  );
}
