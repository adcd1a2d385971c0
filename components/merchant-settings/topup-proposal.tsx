// Other top-up terms that one owner proposed, for another owner or admin to decide on.
"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
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
  const mayDecide = useMay("decide_settings");
  const [asked, setAsked] = useState<"confirm" | "reject" | null>(null);
  const { is_mine: isMine } = proposal;
  return (
    <section aria-labelledby="topup-proposal" className="grid gap-3 border-t border-line pt-4">
      <h3 id="topup-proposal" className="text-sm">
        Proposed: waits for a second person
      </h3>
      <Facts
        facts={[
          ...policyFacts(proposal.wanted),
          ["Proposed by", actorText(proposal.proposed_by)],
          ["Proposed", <LocalTime key="proposed" iso={proposal.proposed_at} />],
        ]}
      />
      {mayDecide ? (
        <div className="flex flex-wrap items-center gap-3">
          {isMine ? (
            <p className="text-sm">
              You proposed this, so another owner or admin must confirm it. If there is none, ask the operator.
            </p>
          ) : (
            <Button size="medium" tone="primary" onClick={() => setAsked("confirm")}>
              Confirm…
            </Button>
          )}
          <Button size="medium" onClick={() => setAsked("reject")}>
            {isMine ? "Withdraw…" : "Reject…"}
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
  const { environment } = useShell();
  const trpc = useTRPC();
  const isConfirm = act === "confirm";
  const done = useSettingChange(isConfirm ? "The terms are in effect." : "The proposal is gone.", onClose);
  const confirm = useMutation(trpc.merchantSettings.confirmTopupPolicies.mutationOptions(done));
  const reject = useMutation(trpc.merchantSettings.rejectTopupPolicies.mutationOptions(done));
  const mutation = isConfirm ? confirm : reject;
  const verb = isConfirm ? "Confirm" : proposal.is_mine ? "Withdraw" : "Reject";
  return (
    <Question
      title={`${verb} the top-up terms?`}
      act={verb}
      isSending={mutation.isPending}
      error={mutation.error}
      onAct={() => mutation.mutate({ environment, id: proposal.id })}
      onClose={onClose}
    >
      {isConfirm ? (
        <>
          <p className="text-sm">
            Proposed by {actorText(proposal.proposed_by)}. The terms hold for top-ups created from now on:
          </p>
          <Facts facts={policyFacts(proposal.wanted)} />
        </>
      ) : (
        <p className="text-sm">The terms in effect stay as they are.</p>
      )}
    </Question>
  );
}
