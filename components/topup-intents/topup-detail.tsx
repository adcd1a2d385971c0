"use client";
import { useQuery } from "@tanstack/react-query";
import { DetailFrame } from "../intents/detail-frame";
import { Amount } from "../money/amount";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";

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
  return (
    <DetailFrame
      list={{ path: "topups", label: "Top-ups" }}
      id={id}
      noun="Top-up"
      amount={destination.amount}
      currency={destination.currency}
      status={topup.status}
      history={history}
      json={topup}
      facts={[
        [
          "Credited to the wallet",
          <Amount key="credited" minorUnits={destination.credited_amount} currency={destination.currency} />,
        ],
        ["Payer sends", <Amount key="source" minorUnits={source.amount} currency={source.currency} />],
        ["Rate", `1 ${fx.source_currency} = ${fx.rate} ${fx.destination_currency}`],
        ["Spread", <Amount key="spread" minorUnits={fx.spread_amount} currency={fx.destination_currency} />],
        [
          "Provider's fee",
          <span key="fee">
            <Amount minorUnits={source.fee_amount} currency={source.currency} />, {source.fee_mode}
          </span>,
        ],
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
