// Auditing a change that is no intent's: written and queued for the chain in the transaction of the change itself.
import { isAuthorityChange } from "@/server/domain/authority-change";
import { type CallContext, type Environment, recordedActor } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { idBoundAt, newId } from "@/server/platform/ids";
import { insertNotices } from "../authority-notices";
import { query } from "../client";
import type { Transaction } from "../transaction";

/** Who makes a change, and when. */
export interface Act extends Pick<CallContext, "actor" | "requestId" | "address"> {
  readonly at: Date;
}

/** The act of a call that is made now. */
export function actOf({ actor, requestId, address }: Omit<CallContext, "scope">): Act {
  return { actor, requestId, address, at: now() };
}

type Json = Readonly<Record<string, unknown>>;

/** What was changed. `before` and `after` hold what a reader of the log may see: no secret, nor the hash of one. */
export interface AuditedChange {
  readonly merchantId: string;
  /** Null for what both environments share. */
  readonly environment: Environment | null;
  /** What was done, such as `api_key.revoke`. */
  readonly action: string;
  readonly objectId: string;
  readonly before: Json | null;
  readonly after: Json | null;
  /** Why, as the person who did it wrote. */
  readonly reason?: string;
}

const insertWhere = (condition: string) => `
WITH entry AS (
  INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, after,
                           request_id, address, created_at, reason)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11, $12::timestamptz, $13 WHERE ${condition}
  RETURNING merchant_id, id
)
INSERT INTO audit_pending (merchant_id, entry_id) SELECT merchant_id, id FROM entry`;

const INSERT = insertWhere("true");
const INSERT_UNLESS_RECENT = insertWhere(
  `NOT EXISTS (SELECT FROM audit_entry WHERE merchant_id = $1 AND object_id = $7 AND action = $6
               AND id >= $14 AND after @> $15::jsonb)`,
);

/** Writes the audit entry of a change, and the notices of it, into the transaction that makes the change. */
export async function recordChange(transaction: Transaction, change: AuditedChange, act: Act): Promise<void> {
  const entryId = newId("audit");
  await transaction.query(INSERT, ...valuesOf(entryId, change, act));
  if (isAuthorityChange(change)) await insertNotices(transaction, { merchantId: change.merchantId, entryId });
}

/** Writes the audit entry of an event that changes nothing else, such as a refusal or an export. */
export async function recordEvent(event: AuditedChange, act: Act): Promise<void> {
  await query(INSERT, ...valuesOf(newId("audit"), event, act));
}

/**
 * Writes the entry unless the object has one of the same action, whose `after` contains `kind`, from the last `intervalMs`.
 */
export async function recordUnlessRecent(
  event: AuditedChange,
  kind: Json,
  act: Act,
  intervalMs: number,
): Promise<void> {
  const since = idBoundAt("audit", new Date(act.at.getTime() - intervalMs));
  await query(INSERT_UNLESS_RECENT, ...valuesOf(newId("audit"), event, act), since, JSON.stringify(kind));
}

function valuesOf(entryId: string, change: AuditedChange, act: Act): unknown[] {
  const actor = recordedActor(act.actor);
  return [
    change.merchantId,
    entryId,
    change.environment,
    actor.type,
    actor.id,
    change.action,
    change.objectId,
    change.before && JSON.stringify(change.before),
    change.after && JSON.stringify(change.after),
    act.requestId,
    act.address,
    act.at,
    change.reason ?? null,
  ];
}
