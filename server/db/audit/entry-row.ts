// Reading audit entries for the chain: every value as text, exactly as the database keeps it.
import type { AuditedEntry } from "@/server/domain/audit-chain";

/** An instant as milliseconds since 1970, in digits; exact, and no setting of a session changes it. */
export function millisecondsOf(column: string): string {
  return `trunc(extract(epoch FROM ${column}) * 1000)::text`;
}

/** What to select of `audit_entry e`. JSON is taken as text: numbers of any length stay as they are. */
export const ENTRY_COLUMNS = `
  e.merchant_id, e.id, e.environment, e.actor_type, e.actor_id, e.action, e.object_id, e.before::text AS before,
  e.after::text AS after, e.reason, e.request_id, e.address, ${millisecondsOf("e.created_at")} AS created_at`;

export interface EntryRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly environment: string | null;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly action: string;
  readonly object_id: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly created_at: string;
}

/** The row in domain words. */
export function toAuditedEntry(row: EntryRow): AuditedEntry {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    actorType: row.actor_type,
    actorId: row.actor_id,
    action: row.action,
    objectId: row.object_id,
    before: row.before,
    after: row.after,
    reason: row.reason,
    requestId: row.request_id,
    address: row.address,
    createdAt: row.created_at,
  };
}
