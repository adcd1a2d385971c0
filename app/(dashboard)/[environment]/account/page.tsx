import type { Metadata } from "next";
import { AccountPage } from "@/components/account/account-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "Your account" };

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  await requirePageAccess((await params).environment, null);
  return <AccountPage />;
}
