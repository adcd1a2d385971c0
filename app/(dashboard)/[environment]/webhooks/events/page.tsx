import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { type PageSearch, readCursor, readFilters, searchParamsOf } from "@/components/lists/filters";
import { EVENT_FIELDS, eventInput } from "@/components/webhooks/event-address";
import { EventList } from "@/components/webhooks/event-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.events");

interface EventsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

export default async function EventsPage({ params, searchParams }: EventsPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "manage_webhooks");
  const search = searchParamsOf(await searchParams);
  const cursor = readCursor(search);
  const { queryClient, trpc, state } = createPrefetch(session);
  const place = { environment, ...(cursor === undefined ? {} : { cursor }) };
  const input = { ...place, ...eventInput(readFilters(search, EVENT_FIELDS)) };
  await queryClient.query(trpc.events.list.queryOptions(input)).catch(leaveToBrowser);
  return (
    <PageTexts areas={["lists", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <EventList />
      </HydrationBoundary>
    </PageTexts>
  );
}
