"use client";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { useListAddress } from "../lists/use-list-address";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { useReaderTimeZone } from "../time/time-zone";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { AccessNotices } from "./access-notices";
import { Balances } from "./balances";
import { Figures } from "./figures";
import { FirstRun } from "./first-run";
import { chosenPeriod, OVERVIEW_FIELDS } from "./overview-address";
import { PeriodChoice } from "./period-choice";
import { Tasks } from "./tasks";

interface OverviewPageProps {
  /** The instance's own address. */
  readonly origin: string;
}

export function OverviewPage({ origin }: OverviewPageProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(OVERVIEW_FIELDS);
  const zone = useReaderTimeZone();
  const period = chosenPeriod(address.filters);
  const input = zone === null ? skipToken : { environment, period, time_zone: zone };
  // Polled at intervals rather than at every change: the figures are per day, and a busy merchant changes every second.
  const pollingInterval = usePollingInterval();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...trpc.overview.figures.queryOptions(input, { trpc: BACKGROUND.trpc }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <PageHeader title={texts("overview.overview")} />
      <AccessNotices />
      <Tasks />
      {data && !data.has_begun ? <FirstRun origin={origin} /> : null}
      <Balances />
      {data?.has_begun || error ? (
        <section aria-labelledby="figures" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h2 id="figures" className="text-lg">
              {texts("overview.performance")}
            </h2>
            <PeriodChoice address={address} shown={data} />
          </div>
          {error ? (
            <div className="grid justify-items-start gap-3">
              <Notice tone="bad" role="alert">
                {failureOf(texts, error).message}
              </Notice>
              <Button size="medium" onClick={() => void refetch()}>
                {texts("overview.tryAgain")}
              </Button>
            </div>
          ) : null}
          {data?.has_begun && !error ? (
            <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
              <Figures data={data} address={address} />
            </div>
          ) : null}
        </section>
      ) : null}
    </div>
  );
}
