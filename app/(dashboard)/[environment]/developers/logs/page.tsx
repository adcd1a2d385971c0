import type { Metadata } from "next";
import { LogList } from "@/components/api-logs/log-list";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "API logs" };

interface LogsPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function LogsPage({ params }: LogsPageProps) {
  await requirePageAccess((await params).environment, "read_api_logs");
  return <LogList />;
}
