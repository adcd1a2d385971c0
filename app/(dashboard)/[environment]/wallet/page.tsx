import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { balanceDaysInput, chosenCurrency, STATEMENT_FIELDS, statementInput } from "@/components/wallet/list-fields";
import { WalletPage } from "@/components/wallet/wallet-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { readerTimeZone } from "@/server/auth/page-time-zone";
import { createPrefetch, prefetchAll } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.wallet");

interface WalletRouteProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function WalletRoute({ params, searchParams }: WalletRouteProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_wallets");
  const search = searchParamsOf(await searchParams);
  const [filters, cursor] = [readFilters(search, STATEMENT_FIELDS), readCursor(search)];
  const { queryClient, trpc, state } = createPrefetch(session);
  const balances = await queryClient
    .query(trpc.wallets.list.queryOptions({ environment }))
    .catch(() => [] as { currency: string; available: string; held: string }[]);
  const currency = chosenCurrency(filters, balances);
  if (currency !== null) {
    const input = { environment, ...statementInput(filters, currency), ...(cursor === undefined ? {} : { cursor }) };
    const me = await queryClient.query(trpc.session.me.queryOptions());
    const zone = await readerTimeZone(me.time_zone);
    const days = { environment, ...balanceDaysInput(filters, currency) };
    await prefetchAll([
      queryClient.query(trpc.wallets.statement.queryOptions(input)),
      zone !== null && queryClient.query(trpc.wallets.balanceDays.queryOptions({ ...days, time_zone: zone })),
    ]);
  }
  return (
    <PageTexts areas={["lists", "wallet"]}>
      <HydrationBoundary state={state()}>
        <WalletPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
