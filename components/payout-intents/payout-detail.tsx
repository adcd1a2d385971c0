"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { DetailFrame } from "../intents/detail-frame";
import { usePollingInterval } from "../shell/live-changes";
import { useMay, useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { Notice } from "../ui/notice";
import { batchFact } from "./batch-fact";
import { DecisionButtons } from "./decision-buttons";
import { HeldNotice, isHeld, screeningFacts } from "./held-notice";
import { missingApproversText, obstacleText, type Payout } from "./payout";

/** An ended payout is not polled. */
function isOpen({ status }: Pick<Payout, "status">): boolean {
  return status === "requires_approval" || status === "processing";
}

/** The fields of the API; the rest is for the dashboard only. */
function resourceOf(payout: Payout) {
  const { made_by: _, batch_id: _batch, approvals_required: _required, approvals: _given, ...rest } = payout;
  const { obstacle: _obstacle, lapses_at: _lapses, digest: _digest, approvers_missing: _missing, ...resource } = rest;
  return resource;
}

export function PayoutDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const queries = useQueryClient();
  const mayDecide = useMay("decide_payouts");
  const { data } = useQuery({
    ...trpc.payoutIntents.get.queryOptions({ environment, id }, BACKGROUND),
    refetchInterval: ({ state }) => (!state.data || isOpen(state.data.payout) ? pollingInterval : false),
  });
  if (!data) return null;
  const { payout, history, screening } = data;
  const { recipient, approvals } = payout;
  const obstacle = obstacleText(texts, payout);
  const approvers = approvals.map(({ member }) => actorText(texts, member)).join(", ");
  return (
    <DetailFrame
      list={{ path: "payouts", label: texts("payouts.payouts") }}
      id={id}
      noun={texts("payouts.payout")}
      amount={payout.amount}
      currency={payout.currency}
      status={payout.status}
      history={history}
      json={resourceOf(payout)}
      actions={
        <DecisionButtons
          payout={payout}
          size="medium"
          onDecided={() =>
            void queries.invalidateQueries({ queryKey: trpc.payoutIntents.get.queryKey({ environment, id }) })
          }
        />
      }
      notice={
        screening && isHeld(payout, screening) ? (
          <HeldNotice payout={payout} screening={screening} />
        ) : payout.approvers_missing > 0 ? (
          <Notice tone="plain">{missingApproversText(texts, payout)}</Notice>
        ) : mayDecide && obstacle ? (
          <Notice tone="plain">{obstacle}</Notice>
        ) : null
      }
      facts={[
        [texts("payouts.recipient"), recipient.holder_name],
        [texts("payouts.account"), `•••• ${recipient.account_last4}`],
        [texts("payouts.bankCode"), recipient.bank_code],
        [texts("payouts.country"), payout.country],
        [texts("payouts.merchantReference"), payout.merchant_reference],
        batchFact(texts, payout, environment),
        [texts("payouts.createdBy"), actorText(texts, payout.made_by)],
        [texts("payouts.created"), <LocalTime key="created" iso={payout.created_at} />],
        [
          texts("payouts.approvals"),
          texts("payouts.approvalsFact", {
            approvals: approvals.length,
            approvalsRequired: payout.approvals_required,
            approvers: approvers ? `: ${approvers}` : "",
          }),
        ],
        payout.lapses_at === null
          ? null
          : [texts("payouts.expires"), <LocalTime key="expires" iso={payout.lapses_at} />],
        ...(screening === null ? [] : screeningFacts(texts, screening)),
        payout.failure_code === null ? null : [texts("payouts.failureCode"), payout.failure_code],
        payout.failure_message === null
          ? null
          : [
              payout.status === "cancelled" ? texts("payouts.reason") : texts("payouts.failureMessage"),
              payout.failure_message,
            ],
      ]}
    />
  );
}
