import { formatInstant } from "@/server/contract/instants";
import { validationError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { requireKeyOfScope } from "@/server/services/api-keys/by-public-key";
import { listAuditLog, type NamedLogEntry } from "@/server/services/audit/list";
import { requireMemberByAddress } from "@/server/services/members/by-address";
import { defineCommand, optional } from "../command";
import { PAGE_OPTIONS, presentNext, readPage } from "../page-options";

const LIST = "cli audit list";

/** In wire names. The environment is null for what concerns the merchant as a whole. */
function presentEntry(entry: NamedLogEntry) {
  const { type, id, name, address } = entry.actor;
  return {
    id: entry.id,
    environment: entry.environment,
    action: entry.action,
    object_id: entry.objectId,
    actor: { type, id, name, address },
    before: entry.before,
    after: entry.after,
    reason: entry.reason,
    request_id: entry.requestId,
    address: entry.address,
    created_at: formatInstant(entry.createdAt),
  };
}

/** The id of the actor that the options name; undefined for everybody. Throws not_found and validation_failed. */
async function readActor(scope: Scope, key: string | null, member: string | null): Promise<string | undefined> {
  if (key !== null && member !== null) throw validationError("member", "and key exclude each other");
  if (key !== null) return requireKeyOfScope(scope, key);
  if (member !== null) return (await requireMemberByAddress(scope.merchantId, member)).id;
  return undefined;
}

export const auditList = defineCommand({
  name: "audit list",
  summary: "List a merchant's audit log, newest first: who changed what, from which address, by which request",
  cells: "merchant",
  options: { ...PAGE_OPTIONS, member: optional("ADDRESS", "only acts of this member") },
  run: async ({ key, member, object, ...page }) => {
    const { scope, dates, after, limit } = readPage(LIST, page);
    const filter = { ...dates, actorId: await readActor(scope, key, member), objectId: object ?? undefined };
    const { entries, next } = await listAuditLog(scope, filter, after, limit);
    return { data: entries.map(presentEntry), ...presentNext(LIST, scope, next) };
  },
});
