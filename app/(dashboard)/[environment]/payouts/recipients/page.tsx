import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { RecipientPage } from "@/components/payout-intents/recipient-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.recipients");

interface RecipientsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function RecipientsPage({ params }: RecipientsPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_intents");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.payoutRecipients.list.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["intents", "payouts", "recipients"]}>
      <HydrationBoundary state={state()}>
        <RecipientPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
