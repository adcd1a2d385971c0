import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { EventCatalogue } from "@/components/webhooks/event-catalogue";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, prefetchAll } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.webhookEvents");

interface WebhooksPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function WebhooksPage({ params }: WebhooksPageProps) {
  const { environment, session, permissions } = await requirePageAccess((await params).environment, "read_catalogue");
  const { queryClient, trpc, state } = createPrefetch(session);
  await prefetchAll([
    queryClient.query(trpc.webhookEvents.list.queryOptions({ environment })),
    permissions.includes("manage_webhooks") &&
      queryClient.query(trpc.webhookEndpoints.list.queryOptions({ environment })),
  ]);
  return (
    <PageTexts areas={["copy", "lists", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <EventCatalogue />
      </HydrationBoundary>
    </PageTexts>
  );
}
