"use client";
import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { PresentedHistory } from "@/server/trpc/present/history";
import { DetailFrame } from "../intents/detail-frame";
import { Amount } from "../money/amount";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { Badge } from "../ui/badge";

export function TopupDetail({ id }: { readonly id: string }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const { data } = useQuery({
    ...trpc.topupIntents.get.queryOptions({ environment, id }, BACKGROUND),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.topup.status) ? false : pollingInterval),
  });
  if (!data) return null;
  const { topup, history } = data;
  const { destination, source, fx, next_action: action } = topup;
  const credited = creditedState(topup);
  const hasEnded = isOver(topup.status);
  return (
    <DetailFrame
      list={{ path: "topups", label: "Top-ups" }}
      id={id}
      noun="Top-up"
      amount={credited === "as_asked" ? destination.amount : destination.credited_amount}
      currency={destination.currency}
      status={topup.status}
      beside={<CreditedBeside topup={topup} />}
      history={history}
      json={topup}
      facts={[
        [
          "Credited to the wallet",
          <Amount key="credited" minorUnits={destination.credited_amount} currency={destination.currency} />,
        ],
        ["Payer sends", <Amount key="source" minorUnits={source.amount} currency={source.currency} />],
        ["Received", <Amount key="received" minorUnits={data.received_amount} currency={source.currency} />],
        ["Rate", `1 ${fx.source_currency} = ${fx.rate} ${fx.destination_currency}`],
        ["Spread, quoted", <Amount key="spread" minorUnits={fx.spread_amount} currency={fx.destination_currency} />],
        hasEnded
          ? ["Spread, booked", <Amount key="spread-booked" {...bookedIn(history, "fx_spread", destination.currency)} />]
          : null,
        [
          "Provider's fee, quoted",
          <span key="fee">
            <Amount minorUnits={source.fee_amount} currency={source.currency} />, {source.fee_mode}
          </span>,
        ],
        hasEnded
          ? ["Provider's fee, booked", <Amount key="fee-booked" {...bookedIn(history, "fees", destination.currency)} />]
          : null,
        ["Source", `${source.type.replaceAll("_", " ")}, ${source.provider}`],
        action === null ? null : ["Network", action.network],
        action === null ? null : ["Address", action.address],
        ["Country", topup.country],
        topup.merchant_reference === null ? null : ["Merchant reference", topup.merchant_reference],
        ["Created", <LocalTime key="created" iso={topup.created_at} />],
        ["Quote holds until", <LocalTime key="expires" iso={topup.expires_at} />],
        topup.failure_code === null ? null : ["Failure code", topup.failure_code],
        topup.failure_message === null ? null : ["Failure message", topup.failure_message],
      ]}
    />
  );
}

function isOver(status: string): boolean {
  return ["succeeded", "failed", "expired"].includes(status);
}

/** Whether the wallet got what the top-up was made for. */
function creditedState({ status, destination }: TopupIntentResource): "as_asked" | "underpaid" | "overpaid" {
  const difference = BigInt(destination.credited_amount) - BigInt(destination.amount);
  if (status !== "succeeded" || difference === 0n) return "as_asked";
  return difference < 0n ? "underpaid" : "overpaid";
}

/** What was asked for, where another sum was credited. */
function CreditedBeside({ topup }: { readonly topup: TopupIntentResource }) {
  const { amount, currency } = topup.destination;
  const state = creditedState(topup);
  if (state === "as_asked") return null;
  return (
    <>
      <Badge tone="warn" Icon={Scale} label={state === "underpaid" ? "Underpaid" : "Overpaid"} />
      <span className="text-sm font-normal tracking-normal text-ink-soft">
        credited of <Amount minorUnits={amount} currency={currency} />
      </span>
    </>
  );
}

/** The sum of what was booked to an account for the top-up. */
function bookedIn({ entries }: PresentedHistory, account: string, currency: string) {
  const booked = entries.filter((entry) => entry.account === account && entry.currency === currency);
  return { minorUnits: booked.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString(), currency };
}
