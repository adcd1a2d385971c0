// One month of all files: what providers settled in it, beside the books.
"use client";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { dayAt } from "@/server/domain/days";
import { monthChoices } from "@/server/domain/months";
import { monthName } from "../i18n/names";
import { useTexts } from "../i18n/use-texts";
import type { ListAddress } from "../lists/use-list-address";
import { useShell } from "../shell/shell-context";
import { AsOf } from "../time/as-of";
import { useReaderTimeZone } from "../time/time-zone";
import { useNow } from "../time/use-now";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { CompactSelect } from "../ui/compact-select";
import { Notice } from "../ui/notice";
import { shownMonth } from "./file-address";
import { TotalsTable } from "./totals-table";

export function MonthTotals({ address }: { readonly address: ListAddress }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const zone = useReaderTimeZone();
  const now = new Date(useNow());
  const months = zone === null ? [] : monthChoices(dayAt(now, zone), 24);
  const choices = months.map((value) => ({ value, label: monthName(texts.language, value) }));
  const month = zone === null ? address.filters.month : shownMonth(address.filters, zone, now);
  const { data, error, isPlaceholderData } = useQuery({
    ...trpc.reconciliation.month.queryOptions(
      zone === null || month === undefined ? skipToken : { environment, month, time_zone: zone },
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="month" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="month" className="text-lg">
          {texts("reconciliation.byMonth")}
        </h2>
        <CompactSelect
          label={texts("reconciliation.month")}
          value={month ?? ""}
          options={
            choices.some(({ value }) => value === month)
              ? choices
              : [{ value: month ?? "", label: month ?? "…" }, ...choices]
          }
          onChange={(value) => address.setFilter("month", value === choices[0]?.value ? "" : value)}
        />
      </div>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      <div aria-busy={!data || isPlaceholderData} className={isPlaceholderData ? "min-h-48 opacity-60" : "min-h-48"}>
        {data ? <AsOf iso={data.as_of} /> : null}
        {data?.totals.length === 0 ? (
          <p className="rounded-lg border border-dashed border-line-strong px-6 py-8 text-center text-sm text-ink-soft">
            {texts("reconciliation.emptyMonth")}
          </p>
        ) : null}
        {data && data.totals.length > 0 ? (
          <TotalsTable caption={texts("reconciliation.monthTable")} totals={data.totals} />
        ) : null}
      </div>
      <p className="text-sm text-ink-soft">
        {texts.rich("reconciliation.monthHint", {
          link: (words) => (
            <Link
              href={`/${environment}/exceptions?kind=missing_external`}
              prefetch={false}
              className="font-medium text-accent underline underline-offset-3"
            >
              {words}
            </Link>
          ),
        })}
      </p>
    </section>
  );
}
