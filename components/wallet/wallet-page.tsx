// The balances in each currency, and every movement of the chosen one with the balance after it.
"use client";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { isToken } from "@/server/domain/currencies";
import { useTexts } from "../i18n/use-texts";
import { ExportLink } from "../lists/export-link";
import { withFilter } from "../lists/filters";
import { ListFrame } from "../lists/list-frame";
import { pageState } from "../lists/page-state";
import { type ListAddress, useListAddress } from "../lists/use-list-address";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { AsOf } from "../time/as-of";
import { useReaderTimeZone } from "../time/time-zone";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { BalanceCards } from "./balance-cards";
import { BalanceOverTime } from "./balance-over-time";
import { chosenCurrency, STATEMENT_FIELDS, type StatementInput, statementInput } from "./list-fields";
import { StatementFilters } from "./statement-filters";
import { StatementTable } from "./statement-table";
import { StatementTotals } from "./statement-totals";

export function WalletPage() {
  const texts = useTexts();
  const { environment } = useShell();
  const pollingInterval = usePollingInterval();
  const trpc = useTRPC();
  const address = useListAddress(STATEMENT_FIELDS);
  const balances = useQuery({
    ...trpc.wallets.list.queryOptions({ environment }, BACKGROUND),
    refetchInterval: pollingInterval,
  });
  const currency = chosenCurrency(address.filters, balances.data ?? []);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <PageHeader title={texts("wallet.wallet")} about={texts("wallet.walletAbout")} />
      {balances.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, balances.error).message}
        </Notice>
      ) : null}
      {balances.data?.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          {texts("wallet.noCurrency")}
        </p>
      ) : null}
      <BalanceCards
        balances={balances.data ?? []}
        chosen={currency}
        onChoose={(code) => address.setFilter("currency", code)}
      />
      {currency === null ? null : (
        <>
          <BalanceOverTime address={address} currency={currency} />
          <Statement address={address} currency={currency} />
        </>
      )}
    </div>
  );
}

interface StatementProps {
  readonly address: ListAddress;
  readonly currency: string;
}

/** Only the dates count as filters that can leave no rows; currency and account choose the statement. */
function datesOf(address: ListAddress): ListAddress {
  const { created_after: from = "", created_before: to = "", ...kept } = address.filters;
  const dates = withFilter(withFilter({}, "created_after", from), "created_before", to);
  return { ...address, filters: dates, setFilters: (next) => address.setFilters({ ...kept, ...next }) };
}

function Statement({ address, currency }: StatementProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const askEvery = usePollingInterval();
  const queries = useQueryClient();
  const trpc = useTRPC();
  const { cursor } = address;
  const input = statementInput(address.filters, currency);
  const list = useQuery({
    ...trpc.wallets.statement.queryOptions({ environment, ...input, ...(cursor === undefined ? {} : { cursor }) }),
    placeholderData: keepPreviousData,
  });
  // Booked lines do not change, so only the number of new ones is polled.
  const isWatched = list.isSuccess && !list.isPlaceholderData && cursor === undefined;
  const updates = useQuery({
    ...trpc.wallets.watchStatement.queryOptions(
      { environment, ...input, newest: list.data?.data[0]?.number ?? null },
      BACKGROUND,
    ),
    enabled: isWatched,
    refetchInterval: askEvery,
  });
  const state = pageState(list);
  const onRead = () => {
    state.onRead();
    void queries.invalidateQueries({ queryKey: trpc.wallets.statementSummary.queryKey() });
  };
  return (
    <section aria-labelledby="statement" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="statement" className="text-lg">
          {texts("wallet.statementCurrency", { currency })}
        </h2>
        <Downloads input={input} currency={currency} />
      </div>
      <StatementFilters address={address} />
      <StatementTotals input={input} currency={currency} />
      <ListFrame
        address={datesOf(address)}
        noun="movements"
        {...state}
        onRead={onRead}
        newer={isWatched ? (updates.data?.newer ?? 0) : 0}
        emptyText={texts("wallet.noMovementsYet")}
      >
        {list.data ? <AsOf iso={list.data.as_of} /> : null}
        {list.data ? <StatementTable page={list.data} currency={currency} /> : null}
      </ListFrame>
    </section>
  );
}

interface DownloadsProps {
  readonly input: StatementInput;
  readonly currency: string;
}

/** The statement as files. camt.053 knows no tokens; the times of a PDF are in the reader's zone. */
function Downloads({ input, currency }: DownloadsProps) {
  const texts = useTexts();
  const zone = useReaderTimeZone();
  return (
    <div className="flex flex-wrap gap-2">
      <ExportLink kind="statement" filters={{ ...input }} label={texts("wallet.exportCSV")} />
      {isToken(currency) ? null : <ExportLink kind="statement-camt053" filters={{ ...input }} label="camt.053" />}
      <ExportLink kind="statement-pdf" filters={{ ...input, time_zone: zone ?? "" }} label="PDF" />
    </div>
  );
}
