"use client";
import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { PresentedHistory } from "@/server/trpc/present/history";
import { useTexts } from "../i18n/use-texts";
import { DetailFrame } from "../intents/detail-frame";
import { Amount } from "../money/amount";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { Badge } from "../ui/badge";

export function TopupDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
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
      list={{ path: "topups", label: texts("topups.topups") }}
      id={id}
      noun={texts("topups.topup")}
      amount={credited === "as_asked" ? destination.amount : destination.credited_amount}
      currency={destination.currency}
      status={topup.status}
      beside={<CreditedBeside topup={topup} />}
      history={history}
      json={topup}
      facts={[
        [
          texts("topups.creditedToTheWallet"),
          <Amount key="credited" minorUnits={destination.credited_amount} currency={destination.currency} />,
        ],
        [texts("topups.payerSends"), <Amount key="source" minorUnits={source.amount} currency={source.currency} />],
        [
          texts("topups.received"),
          <Amount key="received" minorUnits={data.received_amount} currency={source.currency} />,
        ],
        [texts("topups.rate"), `1 ${fx.source_currency} = ${fx.rate} ${fx.destination_currency}`],
        [
          texts("topups.spreadQuoted"),
          <Amount key="spread" minorUnits={fx.spread_amount} currency={fx.destination_currency} />,
        ],
        hasEnded
          ? [
              texts("topups.spreadBooked"),
              <Amount key="spread-booked" {...bookedIn(history, "fx_spread", destination.currency)} />,
            ]
          : null,
        [
          texts("topups.providersFeeQuoted"),
          <span key="fee">
            <Amount minorUnits={source.fee_amount} currency={source.currency} />, {source.fee_mode}
          </span>,
        ],
        hasEnded
          ? [
              texts("topups.providersFeeBooked"),
              <Amount key="fee-booked" {...bookedIn(history, "fees", destination.currency)} />,
            ]
          : null,
        [texts("topups.source"), `${texts(`topups.source_${source.type}`)}, ${source.provider}`],
        action === null ? null : [texts("topups.network"), action.network],
        action === null ? null : [texts("topups.address"), action.address],
        [texts("topups.country"), topup.country],
        topup.merchant_reference === null ? null : [texts("topups.merchantReference"), topup.merchant_reference],
        [texts("topups.created"), <LocalTime key="created" iso={topup.created_at} />],
        [texts("topups.quoteHoldsUntil"), <LocalTime key="expires" iso={topup.expires_at} />],
        topup.failure_code === null ? null : [texts("topups.failureCode"), topup.failure_code],
        topup.failure_message === null ? null : [texts("topups.failureMessage"), topup.failure_message],
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
  const texts = useTexts();
  const { amount, currency } = topup.destination;
  const state = creditedState(topup);
  if (state === "as_asked") return null;
  return (
    <>
      <Badge
        tone="warn"
        Icon={Scale}
        label={state === "underpaid" ? texts("topups.underpaid") : texts("topups.overpaid")}
      />
      <span className="text-sm font-normal tracking-normal text-ink-soft">
        {texts.rich("topups.creditedOf", { amount: () => <Amount minorUnits={amount} currency={currency} /> })}
      </span>
    </>
  );
}

/** The sum of what was booked to an account for the top-up. */
function bookedIn({ entries }: PresentedHistory, account: string, currency: string) {
  const booked = entries.filter((entry) => entry.account === account && entry.currency === currency);
  return { minorUnits: booked.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString(), currency };
}
