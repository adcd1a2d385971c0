import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { EventDetail } from "@/components/webhooks/event-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.event");

interface EventPageProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
}

export default async function EventPage({ params }: EventPageProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "manage_webhooks");
  const { queryClient, trpc, state } = createPrefetch(session);
  const query = trpc.events.get.queryOptions({ environment, id });
  const isMissing = await queryClient.query(query).then(() => false, isNotFound);
  if (isMissing) notFound();
  return (
    <PageTexts areas={["copy", "overview", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <EventDetail id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
