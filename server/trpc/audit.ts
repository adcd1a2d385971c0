import { listAuditQuery } from "@/server/contract/audit";
import { formatInstant } from "@/server/contract/instants";
import { encodeCursor } from "@/server/http/cursor";
import { readListQuery } from "@/server/http/list";
import { readChainState } from "@/server/services/audit/chain-state";
import type { NamedLogEntry } from "@/server/services/audit/list";
import { AUDIT_ROUTE, readAuditLog } from "./audit-query";
import { presentActor } from "./present/actor";
import { memberProcedure, router } from "./procedures";

function presentEntry(entry: NamedLogEntry) {
  return {
    id: entry.id,
    action: entry.action,
    object_id: entry.objectId,
    actor: presentActor(entry.actor),
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
  /** How far the merchant's chain, which both environments share, is linked and was verified. */
  chain: memberProcedure("read_audit").query(async ({ ctx: { call } }) => {
    const { lastSequence, check } = await readChainState(call.scope.merchantId);
    return {
      last_sequence: Number(lastSequence),
      check: check && {
        last_sequence: Number(check.lastSequence),
        fault_count: check.faultCount,
        checked_at: formatInstant(check.checkedAt),
      },
    };
  }),

  list: memberProcedure("read_audit")
    .input(listAuditQuery)
    .query(async ({ ctx: { call }, input }) => {
      const { after, limit } = readListQuery(call.scope, AUDIT_ROUTE, input);
      const { entries, next } = await readAuditLog(call.scope, input, after, limit);
      return { data: entries.map(presentEntry), next_cursor: next && encodeCursor(call.scope, AUDIT_ROUTE, next) };
    }),
});
