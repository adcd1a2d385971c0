import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { FILE_FIELDS, fileInput } from "@/components/reconciliation/file-address";
import { FileDetail } from "@/components/reconciliation/file-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.settlementFile");

interface FilePageProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function FilePage({ params, searchParams }: FilePageProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "read_reconciliation");
  const search = searchParamsOf(await searchParams);
  const { queryClient, trpc, state } = createPrefetch(session);
  const input = { environment, ...fileInput(id, readFilters(search, FILE_FIELDS), readCursor(search)) };
  const isMissing = await queryClient.query(trpc.reconciliation.file.queryOptions(input)).then(() => false, isNotFound);
  if (isMissing) notFound();
  return (
    <PageTexts areas={["lists", "reconciliation"]}>
      <HydrationBoundary state={state()}>
        <FileDetail id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
