import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { PolicyPage } from "@/components/approval-policies/policy-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.approvalPolicy");

interface PoliciesPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function PoliciesPage({ params }: PoliciesPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_policies");
  const { queryClient, trpc, state } = createPrefetch(session);
  await Promise.all([
    queryClient.query(trpc.approvalPolicies.show.queryOptions({ environment })).catch(leaveToBrowser),
    queryClient.query(trpc.payoutLimits.show.queryOptions({ environment })).catch(leaveToBrowser),
  ]);
  return (
    <PageTexts areas={["intents", "limits", "policies"]}>
      <HydrationBoundary state={state()}>
        <PolicyPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
