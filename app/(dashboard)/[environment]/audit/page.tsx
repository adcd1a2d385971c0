import type { Metadata } from "next";
import { AuditLog } from "@/components/audit/audit-log";
import { requirePageAccess } from "@/server/auth/page-access";

export const metadata: Metadata = { title: "Audit log" };

interface AuditPageProps {
  readonly params: Promise<{ readonly environment: string }>;
}

export default async function AuditPage({ params }: AuditPageProps) {
  await requirePageAccess((await params).environment, "read_audit");
  return <AuditLog />;
}
