// The payouts of one file, and their one approval.
"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { formatAmount } from "../money/format-amount";
import { useWarnings } from "../payout-intents/use-warnings";
import { type PayoutWarnings, WarningMarks } from "../payout-intents/warning-marks";
import { BackTo } from "../shell/back-to";
import { usePollingInterval } from "../shell/live-changes";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { type Batch, obstacleText } from "./batch";
import { sumsText } from "./batch-line";

const ApproveDialog = lazy(() => import("./approve-dialog"));

const columnsIn = (texts: Texts) =>
  [
    { label: texts("batches.amount"), isNumeric: true },
    { label: texts("batches.status") },
    { label: texts("batches.recipient") },
    { label: texts("batches.reference") },
    { label: texts("batches.approvals") },
  ] as const;

export function BatchPage({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const pollingInterval = usePollingInterval();
  const options = trpc.payoutBatches.get.queryOptions({ environment, id }, BACKGROUND);
  const { data: batch, error } = useQuery({ ...options, refetchInterval: pollingInterval });
  const [isApproving, setApproving] = useState(false);
  const mayDecide = useMay("decide_payouts");
  const warnings = useWarnings(batch?.payouts ?? []);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BackTo path="payouts" label={texts("batches.payouts")} />
      <PageHeader
        title={batch ? texts("batches.batchOfCount", { count: batch.payouts.length }) : texts("batches.batch")}
      >
        {batch && mayDecide && batch.open > 0 && batch.obstacle === null ? (
          <Button size="medium" tone="primary" onClick={() => setApproving(true)}>
            {texts("batches.approve", { count: batch.open })}
          </Button>
        ) : null}
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {batch ? (
        <>
          <BatchFacts batch={batch} mayDecide={mayDecide} />
          <DataTable caption={texts("batches.payoutsOfTheBatch")} columns={columnsIn(texts)}>
            {batch.payouts.map((payout) => (
              <PayoutRow
                key={payout.id}
                payout={payout}
                warnings={warnings.find(({ id: about }) => about === payout.id)}
                base={`/${environment}/payouts`}
              />
            ))}
          </DataTable>
        </>
      ) : null}
      <Suspense>
        {isApproving && batch ? (
          <ApproveDialog
            batch={batch}
            warnings={warnings}
            onDone={() => void queries.invalidateQueries({ queryKey: options.queryKey })}
            onClose={() => setApproving(false)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

function BatchFacts({ batch, mayDecide }: { readonly batch: Batch; readonly mayDecide: boolean }) {
  const texts = useTexts();
  const { payouts, made_by: maker, created_at: createdAt, approvals_required: required } = batch;
  const waiting = payouts.filter(({ status }) => status === "requires_approval");
  const obstacle = mayDecide && waiting.length > 0 ? obstacleText(texts, batch) : null;
  return (
    <div className="grid gap-3 text-sm">
      <p className="figures">
        {texts.rich("batches.batchSummary", {
          strong: (words) => <strong>{words}</strong>,
          sums: sumsText(texts, payouts),
          localTime: () => <LocalTime iso={createdAt} />,
          maker: maker === null ? texts("batches.aFormerMember") : actorText(texts, maker),
          waiting:
            waiting.length === 0
              ? texts("batches.noneWaitsForApproval")
              : waiting.length === payouts.length
                ? texts("batches.allWaitForApproval")
                : texts("batches.someWait", { count: waiting.length, sums: sumsText(texts, waiting) }),
          required: required > 1 ? texts("batches.approvalsByStrictestLine", { required }) : "",
        })}
      </p>
      {obstacle === null ? null : <Notice tone="plain">{obstacle}</Notice>}
    </div>
  );
}

interface PayoutRowProps {
  readonly payout: Batch["payouts"][number];
  readonly warnings: PayoutWarnings | undefined;
  readonly base: string;
}

function PayoutRow({ payout, warnings, base }: PayoutRowProps) {
  const texts = useTexts();
  const { recipient, amount, currency } = payout;
  return (
    <Row>
      <Cell isNumeric className="max-md:order-1 max-md:text-left">
        <Link
          href={`${base}/${payout.id}`}
          prefetch={false}
          className="figures rounded-sm font-semibold whitespace-nowrap underline-offset-3 hover:underline"
        >
          {formatAmount(texts, amount, currency)} <span className="font-normal text-ink-soft">{currency}</span>
        </Link>
        <WarningMarks warnings={warnings} />
      </Cell>
      <Cell className="max-md:order-2">
        <StatusBadge status={payout.status} />
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-3">
        <span className="block font-medium">{recipient.holder_name}</span>
        <span className="caption figures block">
          {texts("batches.accountAndBank", {
            accountLast4: recipient.account_last4,
            bankCode: recipient.bank_code,
          })}
        </span>
      </Cell>
      <Cell isWide className="wrap-anywhere max-md:order-4">
        {payout.merchant_reference}
      </Cell>
      <Cell className="figures whitespace-nowrap max-md:order-5">
        {texts("batches.approvalsGiven", {
          approvals: payout.approvals.length,
          approvalsRequired: payout.approvals_required,
        })}
        <span className="md:sr-only"> {texts("batches.approvalsWord")}</span>
      </Cell>
    </Row>
  );
}
