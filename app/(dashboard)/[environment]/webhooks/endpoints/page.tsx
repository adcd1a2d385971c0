import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { EndpointList } from "@/components/webhooks/endpoint-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.webhookEndpoints");

interface EndpointsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function EndpointsPage({ params }: EndpointsPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "manage_webhooks");
  const { queryClient, trpc, state } = createPrefetch(session);
  await Promise.all([
    queryClient.query(trpc.webhookEndpoints.list.queryOptions({ environment })).catch(leaveToBrowser),
    queryClient.query(trpc.webhookEndpoints.health.queryOptions({ environment })).catch(leaveToBrowser),
  ]);
  return (
    <PageTexts areas={["copy", "overview", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <EndpointList />
      </HydrationBoundary>
    </PageTexts>
  );
}
