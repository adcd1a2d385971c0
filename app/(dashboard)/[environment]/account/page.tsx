import { PageTexts, titled } from "@/app/page-texts";
import { AccountPage } from "@/components/account/account-page";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.yourAccount");

interface OwnPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function OwnPage({ params }: OwnPageProps) {
  await requirePageAccess((await params).environment, null);
  return (
    <PageTexts areas={["account", "copy"]}>
      <AccountPage />
    </PageTexts>
  );
}
