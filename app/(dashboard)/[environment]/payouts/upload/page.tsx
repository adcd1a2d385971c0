import type { Metadata } from "next";
import { UploadPage } from "@/components/payout-batches/upload-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "Upload payouts" };

interface UploadRouteProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function UploadRoute({ params }: UploadRouteProps) {
  await requirePageAccess((await params).environment, "create_payouts");
  return <UploadPage />;
}
