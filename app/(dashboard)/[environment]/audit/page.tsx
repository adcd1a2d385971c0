import { PageTexts, titled } from "@/app/page-texts";
import { AuditLog } from "@/components/audit/audit-log";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.auditLog");

interface AuditPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function AuditPage({ params }: AuditPageProps) {
  await requirePageAccess((await params).environment, "read_audit");
  return (
    <PageTexts areas={["audit", "copy", "intents", "lists"]}>
      <AuditLog />
    </PageTexts>
  );
}
