import { PageTexts, titled } from "@/app/page-texts";
import { UploadPage } from "@/components/payout-batches/upload-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.uploadPayouts");

interface UploadRouteProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function UploadRoute({ params }: UploadRouteProps) {
  await requirePageAccess((await params).environment, "create_payouts");
  return (
    <PageTexts areas={["batches", "payouts"]}>
      <UploadPage />
    </PageTexts>
  );
}
