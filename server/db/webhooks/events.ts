// Reading events: one by id, or page by page.
import type { StoredEvent } from "@/server/domain/delivery-record";
import type { Environment, Scope } from "@/server/domain/scope";
import { query } from "../client";
import { type PagePosition, withOneStart } from "../list-start";

interface Row {
  id: string;
  type: string;
  environment: Environment;
  intent_id: string;
  created_at: Date;
  body: string;
}

export interface EventFilter {
  readonly type?: string | undefined;
  readonly intentId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

const SELECT = `SELECT id, type, environment, intent_id, created_at, body FROM event
  WHERE merchant_id = $1 AND environment = $2`;

function fromRow({ id, type, environment, intent_id: intentId, created_at: createdAt, body }: Row): StoredEvent {
  return { id, type, environment, intentId, createdAt, body };
}

/** The event, or null. */
export async function findEvent({ merchantId, environment }: Scope, id: string): Promise<StoredEvent | null> {
  const [row] = await query<Row>(`${SELECT} AND id = $3`, merchantId, environment, id);
  return row ? fromRow(row) : null;
}

/** At most `count` events, newest first, after the position. */
export async function listEvents(
  { merchantId, environment }: Scope,
  filter: EventFilter,
  position: PagePosition | null,
  count: number,
): Promise<StoredEvent[]> {
  const { filter: begun, after } = withOneStart(filter, position, "newest_first");
  const { type, intentId, createdAfter, createdBefore } = begun;
  const values: unknown[] = [merchantId, environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    type && `type = ${parameter(type)}`,
    intentId && `intent_id = ${parameter(intentId)}`,
    createdAfter && `created_at >= ${parameter(createdAfter)}::timestamptz`,
    createdBefore && `created_at < ${parameter(createdBefore)}::timestamptz`,
    after && `(created_at, id) < (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)})`,
  ].filter(Boolean);
  const where = conditions.map((condition) => ` AND ${condition}`).join("");
  const rows = await query<Row>(
    `${SELECT}${where} ORDER BY created_at DESC, id DESC LIMIT ${parameter(count)}`,
    ...values,
  );
  return rows.map(fromRow);
}

/** At most `count` events of that time and later, the oldest first, but for those that are named. */
export async function listEventsFrom(
  { merchantId, environment }: Scope,
  from: Date,
  exceptIds: readonly string[],
  count: number,
): Promise<StoredEvent[]> {
  const rows = await query<Row>(
    `${SELECT} AND created_at >= $3::timestamptz AND NOT id = ANY ($4::text[]) ORDER BY created_at, id LIMIT $5`,
    merchantId,
    environment,
    from,
    exceptIds,
    count,
  );
  return rows.map(fromRow);
}
