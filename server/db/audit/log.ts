// Reading the audit log as people read it: an environment's entries, newest first, a page at a time.
import { type AuditGroup, actionPatterns } from "@/server/domain/audit-groups";
import type { Environment, Scope } from "@/server/domain/scope";
import { idBoundAt } from "@/server/platform/ids";
import { query } from "../client";
import type { PagePosition } from "../list-start";
import { LOOKED_AT, lookedPage, lookedSql } from "../looked-at";

export interface LogEntry {
  readonly id: string;
  /** Null for what concerns the merchant as a whole, such as its members. */
  readonly environment: Environment | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly action: string;
  readonly objectId: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
}

/** Conditions on entries; absent ones do not filter. */
export interface LogFilter {
  readonly objectId?: string | undefined;
  readonly group?: AuditGroup | undefined;
  readonly actorType?: string | undefined;
  readonly actorId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Where the next page begins; null after the last. A page may hold fewer entries than asked for, even none. */
  readonly next: PagePosition | null;
}

type Row = LogEntry & { readonly isShown: boolean; readonly isLast: boolean };

/** The statement behind `listLogEntries`, with its values. */
export function logStatement(
  { merchantId, environment }: Scope,
  filter: LogFilter,
  after: PagePosition | null,
  count: number,
  lookedAt = LOOKED_AT,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [merchantId, environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { objectId, group, actorType, actorId, createdAfter, createdBefore } = filter;
  // Only these have an index; the others apply to the entries looked at.
  const bounds = [
    objectId && ` AND object_id = ${parameter(objectId)}`,
    after && ` AND id < ${parameter(after.id)}`,
    createdBefore && ` AND id < ${parameter(idBoundAt("audit", createdBefore))}`,
    createdAfter && ` AND id >= ${parameter(idBoundAt("audit", createdAfter))}`,
  ].filter(Boolean);
  const conditions = [
    group && ` AND action LIKE ANY(${parameter(actionPatterns(group))})`,
    actorType && ` AND actor_type = ${parameter(actorType)}`,
    actorId && ` AND actor_id = ${parameter(actorId)}`,
  ].filter(Boolean);
  const looked = lookedSql({
    within: `SELECT * FROM audit_entry WHERE merchant_id = $1${bounds.join("")}`,
    isShown: `(environment = $2 OR environment IS NULL)${conditions.join("")}`,
    lookedAt: parameter(lookedAt),
    limit: parameter(count + 1),
  });
  const sql = `SELECT id, environment, actor_type AS "actorType", actor_id AS "actorId", action, object_id AS "objectId",
            before, after, reason, request_id AS "requestId", address, created_at AS "createdAt",
            is_shown AS "isShown", is_last AS "isLast"
     FROM (${looked}) l ORDER BY id DESC`;
  return { sql, values };
}

/** At most `count` entries of the scope and of the merchant as a whole that match the filter, after the position. */
export async function listLogEntries(
  scope: Scope,
  filter: LogFilter,
  after: PagePosition | null,
  count: number,
  lookedAt = LOOKED_AT,
): Promise<LogPage> {
  const { sql, values } = logStatement(scope, filter, after, count, lookedAt);
  return lookedPage(await query<Row>(sql, ...values), count);
}

/** The newest entries looked at: more than are ever committed out of the order of their ids. */
const MARK_LENGTH = 20;

/** A text that is another one after each new entry of the merchant; both environments', since one key range tells both. */
export async function newestEntriesMark(merchantId: string): Promise<string> {
  const rows = await query<{ id: string }>(
    `SELECT id FROM audit_entry WHERE merchant_id = $1 ORDER BY id DESC LIMIT ${MARK_LENGTH}`,
    merchantId,
  );
  return rows.map(({ id }) => id).join();
}
