import type { Metadata } from "next";
import { NotificationsPage } from "@/components/notifications/notifications-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "Notifications" };

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  await requirePageAccess((await params).environment, "read_intents");
  return <NotificationsPage />;
}
