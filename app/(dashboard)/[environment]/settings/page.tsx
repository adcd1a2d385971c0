import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { SettingsPage } from "@/components/merchant-settings/settings-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const metadata: Metadata = { title: "Settings" };

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function MerchantSettingsPage({ params }: OwnPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "read_settings");
  const { queryClient, trpc, state } = createPrefetch(session);
  await queryClient.query(trpc.merchantSettings.show.queryOptions({ environment })).catch(leaveToBrowser);
  return (
    <HydrationBoundary state={state()}>
      <SettingsPage />
    </HydrationBoundary>
  );
}
