import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { SettingsPage } from "@/components/merchant-settings/settings-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.settings");

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function MerchantSettingsPage({ params }: OwnPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_settings");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.merchantSettings.show.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <PageTexts areas={["intents", "recipients", "settings"]}>
      <HydrationBoundary state={state()}>
        <SettingsPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
