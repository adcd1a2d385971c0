import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { KeyList } from "@/components/api-keys/key-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { publicOrigin } from "@/server/http/instance";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.apiKeys");

interface KeysPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function KeysPage({ params }: KeysPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "manage_keys");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.apiKeys.list.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["copy", "keys"]}>
      <HydrationBoundary state={state()}>
        <KeyList baseUrl={publicOrigin()} />
      </HydrationBoundary>
    </PageTexts>
  );
}
