import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readCursor, searchParamsOf } from "@/components/lists/filters";
import { FileList } from "@/components/reconciliation/file-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.reconciliation");

interface FilesPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function FilesPage({ params, searchParams }: FilesPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_reconciliation");
  const cursor = readCursor(searchParamsOf(await searchParams));
  const { queryClient, trpc, state } = createPrefetch(session);
  const input = { environment, ...(cursor === undefined ? {} : { cursor }) };
  await queryClient.query(trpc.reconciliation.files.queryOptions(input)).catch(leaveToBrowser);
  return (
    <PageTexts areas={["lists", "reconciliation"]}>
      <HydrationBoundary state={state()}>
        <FileList />
      </HydrationBoundary>
    </PageTexts>
  );
}
