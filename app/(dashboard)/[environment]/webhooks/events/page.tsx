import type { Metadata } from "next";
import { EventList } from "@/components/webhooks/event-list";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "Events" };

interface EventsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function EventsPage({ params }: EventsPageProps) {
  await requirePageAccess((await params).environment, "manage_webhooks");
  return <EventList />;
}
