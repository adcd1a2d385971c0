import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { LOG_FIELDS, logInput } from "@/components/api-logs/log-address";
import { LogList } from "@/components/api-logs/log-list";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, prefetchAll } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.apiLogs");

interface LogsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function LogsPage({ params, searchParams }: LogsPageProps) {
  const { environment, session, permissions } = await requirePageAccess((await params).environment, "read_api_logs");
  const search = searchParamsOf(await searchParams);
  const { queryClient, trpc, state } = createPrefetch(session);
  const input = logInput(environment, readFilters(search, LOG_FIELDS), readCursor(search));
  await prefetchAll([
    queryClient.query(trpc.apiLogs.list.queryOptions(input)),
    permissions.includes("manage_keys") && queryClient.query(trpc.apiKeys.list.queryOptions({ environment })),
  ]);
  return (
    <PageTexts areas={["lists", "logs"]}>
      <HydrationBoundary state={state()}>
        <LogList />
      </HydrationBoundary>
    </PageTexts>
  );
}
