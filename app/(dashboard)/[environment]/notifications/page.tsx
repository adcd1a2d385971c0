import { PageTexts, titled } from "@/app/page-texts";
import { NotificationsPage } from "@/components/notifications/notifications-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.notifications");

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  await requirePageAccess((await params).environment, "read_intents");
  return (
    <PageTexts areas={["copy", "notifications", "webhooks"]}>
      <NotificationsPage />
    </PageTexts>
  );
}
