import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { plainListQuery } from "@/server/contract/webhooks";
import { encodeCursor } from "@/server/http/cursor";
import { readListQuery } from "@/server/http/list";
import { listAuditLog, type NamedLogEntry } from "@/server/services/audit/list";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/audit_log";

function presentEntry(entry: NamedLogEntry) {
  return {
    id: entry.id,
    action: entry.action,
    object_id: entry.objectId,
    actor: { type: entry.actorType, id: entry.actorId, name: entry.actorName },
    /** As JSON, because the content of a change depends on the action. */
    before: entry.before === null ? null : JSON.stringify(entry.before, null, 2),
    after: entry.after === null ? null : JSON.stringify(entry.after, null, 2),
    reason: entry.reason,
    request_id: entry.requestId,
    address: entry.address,
    at: formatInstant(entry.createdAt),
  };
}

export const auditRouter = router({
  list: memberProcedure("read_audit")
    .input(plainListQuery.extend({ object_id: z.string().max(64).optional() }))
    .query(async ({ ctx: { call }, input: { object_id: objectId, ...query } }) => {
      const { after, limit } = readListQuery(call.scope, ROUTE, query);
      const { entries, next } = await listAuditLog(call.scope, { objectId }, after, limit);
      return { data: entries.map(presentEntry), next_cursor: next && encodeCursor(call.scope, ROUTE, next) };
    }),
});
