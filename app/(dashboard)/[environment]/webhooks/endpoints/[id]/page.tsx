import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { EndpointDetail } from "@/components/webhooks/endpoint-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.webhookEndpoint");

interface EndpointPageProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
}

export default async function EndpointPage({ params }: EndpointPageProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "manage_webhooks");
  const { queryClient, trpc, state } = createPrefetch(session);
  const query = trpc.webhookEndpoints.get.queryOptions({ environment, id });
  const isMissing = await queryClient.query(query).then(() => false, isNotFound);
  if (isMissing) notFound();
  await queryClient.query(trpc.webhookEndpoints.health.queryOptions({ environment, id })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["copy", "lists", "overview", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <EndpointDetail id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
