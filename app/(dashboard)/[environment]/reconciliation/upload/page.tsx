import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { SettlementUpload } from "@/components/reconciliation/upload-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.uploadASettlementFile");

interface UploadRouteProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function UploadRoute({ params }: UploadRouteProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "upload_settlements");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.reconciliation.providers.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["reconciliation"]}>
      <HydrationBoundary state={state()}>
        <SettlementUpload />
      </HydrationBoundary>
    </PageTexts>
  );
}
