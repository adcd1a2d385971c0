import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { MONTH_FIELDS, shownMonth } from "@/components/reconciliation/file-address";
import { FileList } from "@/components/reconciliation/file-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { readerTimeZone } from "@/server/auth/page-time-zone";
import { createPrefetch, prefetchAll } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.reconciliation");

interface FilesPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function FilesPage({ params, searchParams }: FilesPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_reconciliation");
  const search = searchParamsOf(await searchParams);
  const cursor = readCursor(search);
  const { queryClient, trpc, state } = createPrefetch(session);
  const me = await queryClient.query(trpc.session.me.queryOptions());
  const zone = await readerTimeZone(me.time_zone);
  const files = { environment, ...(cursor === undefined ? {} : { cursor }) };
  await prefetchAll([
    queryClient.query(trpc.reconciliation.files.queryOptions(files)),
    zone !== null &&
      queryClient.query(
        trpc.reconciliation.month.queryOptions({
          environment,
          month: shownMonth(readFilters(search, MONTH_FIELDS), zone, new Date()),
          time_zone: zone,
        }),
      ),
  ]);
  return (
    <PageTexts areas={["lists", "reconciliation"]}>
      <HydrationBoundary state={state()}>
        <FileList />
      </HydrationBoundary>
    </PageTexts>
  );
}
