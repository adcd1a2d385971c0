// Owns the overview: what waits for the member, what is there, and how the period went.
"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PERIODS } from "@/server/domain/figures";
import { type ListAddress, useListAddress } from "../lists/use-list-address";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Balances } from "./balances";
import { Figures } from "./figures";
import { FirstRun } from "./first-run";
import { chosenDays, OVERVIEW_FIELDS } from "./overview-address";
import { Tasks } from "./tasks";

interface OverviewPageProps {
  /** Where this instance is reached. */
  readonly origin: string;
}

export function OverviewPage({ origin }: OverviewPageProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(OVERVIEW_FIELDS);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...trpc.overview.figures.queryOptions({ environment, days: chosenDays(address.filters) }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <PageHeader title="Overview" />
      <Tasks />
      {data && !data.has_begun ? <FirstRun origin={origin} /> : null}
      <Balances />
      {error ? (
        <div className="grid justify-items-start gap-3">
          <Notice tone="bad" role="alert">
            {failureOf(error).message}
          </Notice>
          <Button size="medium" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : null}
      {data?.has_begun ? (
        <section aria-labelledby="figures" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="figures" className="text-lg">
              How it went
            </h2>
            <PeriodSwitch address={address} />
          </div>
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
            <Figures data={data} address={address} />
          </div>
        </section>
      ) : null}
    </div>
  );
}

function PeriodSwitch({ address }: { readonly address: ListAddress }) {
  const chosen = chosenDays(address.filters);
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Period, compared with the one before</legend>
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === chosen}
          onClick={() => address.setFilter("days", String(days))}
          className={classNames(
            "min-h-9 rounded-md px-3 text-sm transition-colors duration-150",
            days === chosen ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
          )}
        >
          {days} days
        </button>
      ))}
    </fieldset>
  );
}
