import { PageTexts, titled } from "@/app/page-texts";
import { LogList } from "@/components/api-logs/log-list";
import { requirePageAccess } from "@/server/auth/page-access";

export const generateMetadata = titled("pages.apiLogs");

interface LogsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function LogsPage({ params }: LogsPageProps) {
  await requirePageAccess((await params).environment, "read_api_logs");
  return (
    <PageTexts areas={["lists", "logs"]}>
      <LogList />
    </PageTexts>
  );
}
