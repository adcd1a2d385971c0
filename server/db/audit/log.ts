// Reading the audit log as people read it: an environment's entries, newest first, a page at a time.
import { type AuditGroup, actionPatterns } from "@/server/domain/audit-groups";
import type { Environment, Scope } from "@/server/domain/scope";
import { idBoundAt } from "@/server/platform/ids";
import { query } from "../client";
import type { PagePosition } from "../intents/store";

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

/** Entries looked at for one page: an environment with few among very many of the other costs no long search. */
const LOOKED_AT = 10_000;

type Row = LogEntry & { readonly isShown: boolean; readonly isLastLookedAt: boolean };

/** At most `count` entries of the scope and of the merchant as a whole that match the filter, after the position. */
export async function listLogEntries(
  { merchantId, environment }: Scope,
  filter: LogFilter,
  after: PagePosition | null,
  count: number,
  lookedAt = LOOKED_AT,
): Promise<LogPage> {
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
  const rows = await query<Row>(
    `WITH looked AS (
       SELECT *, ((environment = $2 OR environment IS NULL)${conditions.join("")}) AS is_shown FROM audit_entry
       WHERE merchant_id = $1${bounds.join("")} ORDER BY id DESC LIMIT ${parameter(lookedAt)}
     ), ended AS (SELECT min(id) AS id FROM looked HAVING count(*) = ${parameter(lookedAt)})
     SELECT l.id, l.environment, l.actor_type AS "actorType", l.actor_id AS "actorId", l.action,
            l.object_id AS "objectId", l.before, l.after, l.reason, l.request_id AS "requestId", l.address,
            l.created_at AS "createdAt", l.is_shown AS "isShown", ended.id IS NOT NULL AS "isLastLookedAt"
     FROM looked l LEFT JOIN ended ON ended.id = l.id
     WHERE l.is_shown OR ended.id IS NOT NULL ORDER BY l.id DESC LIMIT ${parameter(count + 1)}`,
    ...values,
  );
  const page = rows.slice(0, count);
  const last = page.at(-1);
  const goesOn = rows.length > count || last?.isLastLookedAt === true;
  return {
    entries: page.filter(({ isShown }) => isShown).map(({ isShown: _, isLastLookedAt: _last, ...entry }) => entry),
    next: goesOn && last ? { createdAt: last.createdAt, id: last.id } : null,
  };
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
