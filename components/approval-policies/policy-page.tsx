"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { LimitsSection } from "../payout-limits/limits-section";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import type { PolicyVersion } from "./policy";
import { PolicyCard } from "./policy-card";

const ProposeDialog = lazy(() => import("./propose-dialog"));

export function PolicyPage() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const [isProposing, setProposing] = useState(false);
  const mayDecide = useMay("decide_policies");
  const { data, error } = useQuery(trpc.approvalPolicies.show.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title="Approval policy"
        about={`How many people must approve a payout in ${environment}. A change takes two owners or admins.`}
      >
        {mayDecide && data ? (
          <Button
            size="medium"
            tone="primary"
            disabled={data.proposed !== null}
            title={data.proposed ? "Decide on the open proposal first." : undefined}
            onClick={() => setProposing(true)}
          >
            Propose a change
          </Button>
        ) : null}
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      {data?.warnings.map((warning) => (
        <Notice key={warning} tone="bad">
          No one else can approve these payouts: {warning}.
        </Notice>
      ))}
      {data?.proposed ? <Proposal version={data.proposed} mayDecide={mayDecide} /> : null}
      {data ? <PolicyCard title="In effect" version={data.active} /> : null}
      {data ? (
        <p className="text-sm text-ink-soft">
          {data.approvers} active {data.approvers === 1 ? "member" : "members"} may approve payouts. Nobody approves a
          payout that they made. A payout keeps the policy it was created under.
        </p>
      ) : null}
      <LimitsSection />
      <Suspense>
        {isProposing && data ? <ProposeDialog view={data} onClose={() => setProposing(false)} /> : null}
      </Suspense>
    </div>
  );
}

interface ProposalProps {
  readonly version: PolicyVersion;
  readonly mayDecide: boolean;
}

/** The proposer can only withdraw it; the reason replaces the button. */
function Proposal({ version, mayDecide }: ProposalProps) {
  const [open, setOpen] = useState<"confirm" | "reject" | null>(null);
  const { is_mine: isMine } = version;
  return (
    <PolicyCard title="Proposed: waits for a second person" version={version}>
      {mayDecide ? (
        <div className="flex flex-wrap items-center gap-3">
          {isMine ? (
            <p className="text-sm">You proposed this, so another owner or admin must confirm it.</p>
          ) : (
            <Button size="medium" tone="primary" onClick={() => setOpen("confirm")}>
              Confirm…
            </Button>
          )}
          <Button size="medium" onClick={() => setOpen("reject")}>
            {isMine ? "Take it back…" : "Reject…"}
          </Button>
        </div>
      ) : null}
      {open ? <DecideDialog verdict={open} version={version} onClose={() => setOpen(null)} /> : null}
    </PolicyCard>
  );
}

interface DecideDialogProps {
  readonly verdict: "confirm" | "reject";
  readonly version: PolicyVersion;
  readonly onClose: () => void;
}

function DecideDialog({ verdict, version, onClose }: DecideDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const isConfirm = verdict === "confirm";
  const options = {
    onSuccess: () => {
      announce(isConfirm ? `Version ${version.version} is in effect.` : `Version ${version.version} is rejected.`);
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.approvalPolicies.show.queryKey() }),
  };
  const confirm = useMutation(trpc.approvalPolicies.confirm.mutationOptions(options));
  const reject = useMutation(trpc.approvalPolicies.reject.mutationOptions(options));
  const mutation = isConfirm ? confirm : reject;
  return (
    <Question
      title={isConfirm ? `Put version ${version.version} into effect?` : `Reject version ${version.version}?`}
      act={isConfirm ? "Confirm policy" : "Reject policy"}
      isSending={mutation.isPending}
      error={mutation.error}
      onAct={() => mutation.mutate({ environment, version: version.version })}
      onClose={onClose}
    >
      <p className="text-sm">
        {isConfirm
          ? `It decides on every payout created in ${environment} from then on. Payouts that exist keep the policy they have.`
          : "Nothing changes, and another proposal can be made. A rejected version stays in the record."}
      </p>
    </Question>
  );
}
