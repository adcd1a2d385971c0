import { HydrationBoundary } from "@tanstack/react-query";
import { redirect } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readFilters, searchParamsOf } from "@/components/lists/filters";
import { chosenPeriod, OVERVIEW_FIELDS } from "@/components/overview/overview-address";
import { OverviewPage } from "@/components/overview/overview-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { publicOrigin } from "@/server/http/instance";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

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
  const { time_zone: zone } = await queryClient.query(trpc.session.me.queryOptions());
  // Days in the browser's zone are fetched by the browser.
  if (zone !== null) {
    const input = { environment, period: chosenPeriod(filters), time_zone: zone };
    await queryClient.query(trpc.overview.figures.queryOptions(input)).catch(leaveToBrowser);
  }
  return (
    <PageTexts areas={["copy", "lists", "overview"]}>
      <HydrationBoundary state={state()}>
        <OverviewPage origin={publicOrigin()} />
      </HydrationBoundary>
    </PageTexts>
  );
}
