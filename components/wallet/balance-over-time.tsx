// The chosen account's balance over the last days, refreshed together with the balances above it.
"use client";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { BALANCE_PERIODS } from "@/server/domain/balance-days";
import { useTexts } from "../i18n/use-texts";
import type { ListAddress } from "../lists/use-list-address";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { useReaderTimeZone } from "../time/time-zone";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { ChoiceButton } from "../ui/choice-button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { BalanceChart } from "./balance-chart";
import { accountLabelsIn, balanceDaysInput, chosenAccount } from "./list-fields";

interface BalanceOverTimeProps {
  readonly address: ListAddress;
  readonly currency: string;
}

export function BalanceOverTime({ address, currency }: BalanceOverTimeProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const zone = useReaderTimeZone();
  const pollingInterval = usePollingInterval();
  const input = balanceDaysInput(address.filters, currency);
  const { data, error, isPlaceholderData } = useQuery({
    ...trpc.wallets.balanceDays.queryOptions(
      zone === null ? skipToken : { environment, ...input, time_zone: zone },
      BACKGROUND,
    ),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval,
  });
  return (
    <section aria-labelledby="balance" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="balance" className="text-lg">
          {texts("wallet.balanceOverTimeCurrency", { currency })}
        </h2>
        <fieldset className="flex gap-1">
          <legend className="sr-only">{texts("wallet.daysShown")}</legend>
          {BALANCE_PERIODS.map((days) => (
            <ChoiceButton
              key={days}
              isChosen={days === input.days}
              onChoose={() => address.setFilter("days", String(days))}
            >
              {texts("wallet.daysDays", { days })}
            </ChoiceButton>
          ))}
        </fieldset>
      </div>
      <Panel className="grid min-h-52 grid-cols-[minmax(0,1fr)] content-start gap-3">
        <h3 className="text-sm font-medium">
          {texts("wallet.chartHint", {
            accountLabels: accountLabelsIn(texts)[chosenAccount(address.filters)],
          })}
        </h3>
        {error ? (
          <Notice tone="bad" role="alert">
            {failureOf(texts, error).message}
          </Notice>
        ) : null}
        {data && !error ? (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
            <BalanceChart
              title={`${accountLabelsIn(texts)[input.account]}, ${currency}`}
              currency={currency}
              balance={data}
            />
          </div>
        ) : null}
      </Panel>
    </section>
  );
}
