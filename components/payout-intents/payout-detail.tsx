"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
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
  const obstacle = obstacleText(payout);
  const approvers = approvals.map(({ member }) => actorText(member)).join(", ");
  return (
    <DetailFrame
      list={{ path: "payouts", label: "Payouts" }}
      id={id}
      noun="Payout"
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
          <Notice tone="plain">{missingApproversText(payout)}</Notice>
        ) : mayDecide && obstacle ? (
          <Notice tone="plain">{obstacle}</Notice>
        ) : null
      }
      facts={[
        ["Recipient", recipient.holder_name],
        ["Account", `•••• ${recipient.account_last4}`],
        ["Bank code", recipient.bank_code],
        ["Country", payout.country],
        ["Merchant reference", payout.merchant_reference],
        batchFact(payout, environment),
        ["Created by", actorText(payout.made_by)],
        ["Created", <LocalTime key="created" iso={payout.created_at} />],
        ["Approvals", `${approvals.length} of ${payout.approvals_required}${approvers ? `: ${approvers}` : ""}`],
        payout.lapses_at === null ? null : ["Expires", <LocalTime key="expires" iso={payout.lapses_at} />],
        ...(screening === null ? [] : screeningFacts(screening)),
        payout.failure_code === null ? null : ["Failure code", payout.failure_code],
        payout.failure_message === null
          ? null
          : [payout.status === "cancelled" ? "Reason" : "Failure message", payout.failure_message],
      ]}
    />
  );
}
