import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { EventCatalogue } from "@/components/webhooks/event-catalogue";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const metadata: Metadata = { title: "Webhook events" };

interface WebhooksPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function WebhooksPage({ params }: WebhooksPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_catalogue");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.webhookEvents.list.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <HydrationBoundary state={state()}>
      <EventCatalogue />
    </HydrationBoundary>
  );
}
