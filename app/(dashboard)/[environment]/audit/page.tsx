import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { AuditLog } from "@/components/audit/audit-log";
import { AUDIT_FIELDS, auditInput } from "@/components/audit/list-fields";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.auditLog");

interface AuditPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function AuditPage({ params, searchParams }: AuditPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_audit");
  const search = searchParamsOf(await searchParams);
  const cursor = readCursor(search);
  const { queryClient, trpc, state } = createPrefetch(session);
  const filters = auditInput(readFilters(search, AUDIT_FIELDS));
  const list = trpc.audit.list.queryOptions({ ...filters, environment, ...(cursor === undefined ? {} : { cursor }) });
  await Promise.all([
    queryClient.query(list).catch(leaveToBrowser),
    queryClient.query(trpc.audit.chain.queryOptions({ environment })).catch(leaveToBrowser),
  ]);
  return (
    <PageTexts areas={["audit", "copy", "intents", "lists"]}>
      <HydrationBoundary state={state()}>
        <AuditLog />
      </HydrationBoundary>
    </PageTexts>
  );
}
