import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { AccountPage } from "@/components/account/account-page";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.yourAccount");

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  const { session } = await requirePageAccess((await params).environment, null);
  const { queryClient, trpc, state } = createPrefetch(session);
  await Promise.all([
    queryClient.query(trpc.account.totp.queryOptions()).catch(leaveToBrowser),
    queryClient.query(trpc.account.passkeys.queryOptions()).catch(leaveToBrowser),
    queryClient.query(trpc.account.access.queryOptions()).catch(leaveToBrowser),
    queryClient.query(trpc.account.sessions.queryOptions()).catch(leaveToBrowser),
  ]);
  return (
    <PageTexts areas={["account", "copy"]}>
      <HydrationBoundary state={state()}>
        <AccountPage />
      </HydrationBoundary>
    </PageTexts>
  );
}
