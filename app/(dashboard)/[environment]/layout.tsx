import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageTexts } from "@/app/page-texts";
import { Shell } from "@/components/shell/shell";
import { TimeZone } from "@/components/time/time-zone";
import { requirePageAccess } from "@/server/auth/page-access";
import { rememberedTimeZone } from "@/server/auth/page-time-zone";
import { createPrefetch } from "@/server/trpc/prefetch";

export const dynamic = "force-dynamic";

export const metadata: Metadata = { robots: { index: false } };

interface DashboardLayoutProps {
  readonly children: ReactNode;
  readonly params: Promise<{ readonly environment: string }>;
}

/** Renders the frame only; every page below checks its own permission. */
export default async function DashboardLayout({ children, params }: DashboardLayoutProps) {
  const { environment, session, permissions } = await requirePageAccess((await params).environment, null);
  const { id, email, name, roles, merchantName } = session.member;
  const { queryClient, trpc } = createPrefetch(session);
  const me = await queryClient.query(trpc.session.me.queryOptions());
  const member = { id, email, name, roles, merchantName, permissions };
  return (
    <PageTexts areas={["common", "shell"]}>
      <TimeZone chosen={me.time_zone} remembered={await rememberedTimeZone()}>
        <Shell value={{ environment, member, isSuspended: me.is_merchant_suspended }}>{children}</Shell>
      </TimeZone>
    </PageTexts>
  );
}
