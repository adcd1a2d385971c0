import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { ExceptionList } from "@/components/exceptions/exception-list";
import { EXCEPTION_FIELDS, exceptionInput } from "@/components/exceptions/list-fields";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.exceptions");

interface ExceptionsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function ExceptionsPage({ params, searchParams }: ExceptionsPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "decide_exceptions");
  const search = searchParamsOf(await searchParams);
  const cursor = readCursor(search);
  const { queryClient, trpc, state } = createPrefetch(session);
  const input = { environment, ...exceptionInput(readFilters(search, EXCEPTION_FIELDS)) };
  const query = trpc.exceptions.list.queryOptions({ ...input, ...(cursor === undefined ? {} : { cursor }) });
  const owners = trpc.exceptions.owners.queryOptions({ environment });
  await Promise.all([queryClient.query(query).catch(leaveToBrowser), queryClient.query(owners).catch(leaveToBrowser)]);
  return (
    <PageTexts areas={["copy", "exceptions", "intents", "lists"]}>
      <HydrationBoundary state={state()}>
        <ExceptionList />
      </HydrationBoundary>
    </PageTexts>
  );
}
