import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { BatchPage } from "@/components/payout-batches/batch-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.batchOfPayouts");

interface BatchRouteProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
}

export default async function BatchRoute({ params }: BatchRouteProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "read_intents");
  const { queryClient, trpc, state } = createPrefetch(session);
  const query = trpc.payoutBatches.get.queryOptions({ environment, id });
  const isMissing = await queryClient.query(query).then(() => false, isNotFound);
  if (isMissing) notFound();
  return (
    <PageTexts areas={["batches", "intents", "payouts"]}>
      <HydrationBoundary state={state()}>
        <BatchPage id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
