import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { NotificationsPage } from "@/components/notifications/notifications-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.notifications");

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_intents");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.notifications.list.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["copy", "notifications", "webhooks"]}>
      <HydrationBoundary state={state()}>
        <NotificationsPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
