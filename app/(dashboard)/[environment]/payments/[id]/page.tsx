import { HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import { PageTexts, titled } from "@/app/page-texts";
import { PaymentDetail } from "@/components/payment-intents/payment-detail";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, isNotFound } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.payment");

interface DetailPageProps {
  readonly params: Promise<{ readonly environment: string; readonly id: string }>;
}

export default async function DetailPage({ params }: DetailPageProps) {
  const { environment: name, id } = await params;
  const { environment, session } = await requirePageAccess(name, "read_intents");
  const { queryClient, trpc, state } = createPrefetch(session);
  const query = trpc.paymentIntents.get.queryOptions({ environment, id });
  const isMissing = await queryClient.query(query).then(() => false, isNotFound);
  if (isMissing) notFound();
  return (
    <PageTexts areas={["copy", "intents", "payments"]}>
      <HydrationBoundary state={state()}>
        <PaymentDetail id={id} />
      </HydrationBoundary>
    </PageTexts>
  );
}
