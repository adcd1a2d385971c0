import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { ProviderPage } from "@/components/providers/provider-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.providers");

interface ProvidersPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function ProvidersPage({ params }: ProvidersPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_providers");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.providers.list.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["providers"]}>
      <HydrationBoundary state={state()}>
        <ProviderPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
