"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [isProposing, setProposing] = useState(false);
  const mayDecide = useMay("decide_policies");
  const { data, error } = useQuery(trpc.approvalPolicies.show.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("policies.approvalPolicy")} about={texts("policies.policyAbout", { environment })}>
        {mayDecide && data ? (
          <Button
            size="medium"
            tone="primary"
            disabled={data.proposed !== null}
            title={data.proposed ? texts("policies.openProposalFirst") : undefined}
            onClick={() => setProposing(true)}
          >
            {texts("policies.proposeAChange")}
          </Button>
        ) : null}
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data?.warnings.map((warning) => (
        <Notice key={warning} tone="bad">
          {texts("policies.tooFewApprovers", { warning })}
        </Notice>
      ))}
      {data?.proposed ? <Proposal version={data.proposed} mayDecide={mayDecide} /> : null}
      {data ? <PolicyCard title={texts("policies.inEffect")} version={data.active} /> : null}
      {data ? (
        <p className="text-sm text-ink-soft">{texts("policies.whoMayApprove", { count: data.approvers })}</p>
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
  const texts = useTexts();
  const [open, setOpen] = useState<"confirm" | "reject" | null>(null);
  const { is_mine: isMine } = version;
  return (
    <PolicyCard title={texts("policies.proposedStatus")} version={version}>
      {mayDecide ? (
        <div className="flex flex-wrap items-center gap-3">
          {isMine ? (
            <p className="text-sm">{texts("policies.proposedByYou")}</p>
          ) : (
            <Button size="medium" tone="primary" onClick={() => setOpen("confirm")}>
              {texts("policies.confirm")}
            </Button>
          )}
          <Button size="medium" onClick={() => setOpen("reject")}>
            {isMine ? texts("policies.takeItBack") : texts("policies.reject")}
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const isConfirm = verdict === "confirm";
  const options = {
    onSuccess: () => {
      announce(
        isConfirm
          ? texts("policies.versionInEffect", { version: version.version })
          : texts("policies.versionVersionIsRejected", { version: version.version }),
      );
      onClose();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.approvalPolicies.show.queryKey() }),
  };
  const confirm = useMutation(trpc.approvalPolicies.confirm.mutationOptions(options));
  const reject = useMutation(trpc.approvalPolicies.reject.mutationOptions(options));
  const mutation = isConfirm ? confirm : reject;
  return (
    <Question
      title={
        isConfirm
          ? texts("policies.confirmTitle", { version: version.version })
          : texts("policies.rejectVersionVersion", { version: version.version })
      }
      act={isConfirm ? texts("policies.confirmPolicy") : texts("policies.rejectPolicy")}
      isSending={mutation.isPending}
      error={mutation.error}
      onAct={() => mutation.mutate({ environment, version: version.version })}
      onClose={onClose}
    >
      <p className="text-sm">
        {isConfirm ? texts("policies.confirmEffect", { environment }) : texts("policies.rejectEffect")}
      </p>
    </Question>
  );
}
