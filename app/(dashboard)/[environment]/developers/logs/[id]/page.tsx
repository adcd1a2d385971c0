import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { LogDetail } from "@/components/api-logs/log-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.request");

interface LogPageProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
}

export default async function LogPage({ params }: LogPageProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "read_api_logs");
  const { queryClient, trpc, state } = createPrefetch(session);
  const isMissing = await queryClient
    .query(trpc.apiLogs.get.queryOptions({ environment, id }))
    .then(() => false, isNotFound);
  if (isMissing) notFound();
  return (
    <PageTexts areas={["copy", "logs"]}>
      <HydrationBoundary state={state()}>
        <LogDetail id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
