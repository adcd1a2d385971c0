// Reads the audit log for a query with the names of its address: for the page and for the export.
import type { z } from "zod";
import type { listAuditQuery } from "@/server/contract/audit";
import type { Scope } from "@/server/domain/scope";
import { readListQuery } from "@/server/http/list";
import { listAuditLog } from "@/server/services/audit/list";
import type { PagePosition } from "@/server/services/page";

export const AUDIT_ROUTE = "/audit_log";

type AuditQuery = z.output<typeof listAuditQuery>;

/** Returns one page after a position, with the filters of the query. */
export function readAuditLog(scope: Scope, query: AuditQuery, after: PagePosition | null, limit: number) {
  const { object_id: objectId, group, actor_type: actorType, actor_id: actorId } = query;
  const { createdAfter, createdBefore } = readListQuery(scope, AUDIT_ROUTE, query).filter;
  return listAuditLog(scope, { objectId, group, actorType, actorId, createdAfter, createdBefore }, after, limit);
}
