import { HydrationBoundary } from "@tanstack/react-query";
import { redirect } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readFilters, searchParamsOf } from "@/components/lists/filters";
import { chosenPeriod, OVERVIEW_FIELDS } from "@/components/overview/overview-address";
import { OverviewPage } from "@/components/overview/overview-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { readerTimeZone } from "@/server/auth/page-time-zone";
import { publicOrigin } from "@/server/http/instance";
import { createPrefetch, prefetchAll } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.overview");

interface EnvironmentPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function EnvironmentPage({ params, searchParams }: EnvironmentPageProps) {
  const { environment, session, permissions } = await requirePageAccess((await params).environment, null);
  // A new member whose roles await confirmation has none yet.
  if (!permissions.includes("read_intents")) redirect(`/${environment}/account`);
  const filters = readFilters(searchParamsOf(await searchParams), OVERVIEW_FIELDS);
  const { queryClient, trpc, state } = createPrefetch(session);
  const me = await queryClient.query(trpc.session.me.queryOptions());
  const zone = await readerTimeZone(me.time_zone);
  const may = (act: (typeof permissions)[number]) => permissions.includes(act);
  // All of it before the first answer: what came later would push the rest of the page down.
  await prefetchAll([
    queryClient.query(trpc.account.notices.queryOptions()),
    may("decide_payouts") && queryClient.query(trpc.overview.waiting.queryOptions({ environment })),
    may("decide_exceptions") && queryClient.query(trpc.exceptions.count.queryOptions({ environment })),
    may("manage_webhooks") && queryClient.query(trpc.webhookEndpoints.list.queryOptions({ environment })),
    may("read_wallets") && queryClient.query(trpc.wallets.list.queryOptions({ environment })),
    zone !== null &&
      queryClient.query(
        trpc.overview.figures.queryOptions({ environment, period: chosenPeriod(filters), time_zone: zone }),
      ),
  ]);
  return (
    <PageTexts areas={["copy", "lists", "overview"]}>
      <HydrationBoundary state={state()}>
        <OverviewPage origin={publicOrigin()} />
      </HydrationBoundary>
    </PageTexts>
  );
}
