import { PageTexts, titled } from "@/app/page-texts";
import { EventList } from "@/components/webhooks/event-list";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.events");

interface EventsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function EventsPage({ params }: EventsPageProps) {
  await requirePageAccess((await params).environment, "manage_webhooks");
  return (
    <PageTexts areas={["lists", "webhooks"]}>
      <EventList />
    </PageTexts>
  );
}
