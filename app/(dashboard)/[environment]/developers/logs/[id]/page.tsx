import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LogDetail } from "@/components/api-logs/log-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const metadata: Metadata = { title: "Request" };

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
    <HydrationBoundary state={state()}>
      <LogDetail id={id} />
    </HydrationBoundary>
  );
}
