import { HydrationBoundary } from "@tanstack/react-query";
import { PageTexts, titled } from "@/app/page-texts";
import { MemberList } from "@/components/members/member-list";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export const generateMetadata = titled("pages.members");

interface MembersPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function MembersPage({ params }: MembersPageProps) {
  const { environment, session } = await requirePageAccess((await params).environment, "manage_members");
  const { queryClient, trpc, state } = createPrefetch(session);
  await Promise.all([
    queryClient.query(trpc.members.list.queryOptions({ environment })).catch(leaveToBrowser),
    queryClient.query(trpc.members.stepUp.queryOptions({ environment })).catch(leaveToBrowser),
  ]);
  return (
    <PageTexts areas={["account", "copy", "intents", "members"]}>
      <HydrationBoundary state={state()}>
        <MemberList />
      </HydrationBoundary>
    </PageTexts>
  );
}
