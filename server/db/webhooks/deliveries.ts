// Reading deliveries with their attempts, and sending them once more.
import type { DeliveryState } from "@/server/domain/delivery";
import type { Delivery, DeliveryAttempt } from "@/server/domain/delivery-record";
import type { Environment, Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "../audit/record";
import { inTransaction, query } from "../client";
import type { Seal } from "../commit/unit";
import { sealKeyWithin } from "../idempotency";
import type { PagePosition } from "../list-start";
import { aheadOf } from "../merchant-time";
import { NOW_MS } from "../now-ms";

/** Attempts that are shown of one delivery, the newest. */
const ATTEMPTS_SHOWN = 10;

interface Row {
  merchant_id: string;
  id: string;
  environment: Environment;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  intent_id: string;
  body: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  ended_at: Date | null;
  attempt_rows: readonly AttemptRow[];
}

interface AttemptRow {
  ordinal: number;
  attempted_at: string;
  status: number | null;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_body: string;
  error: string | null;
  detail: string | null;
}

const SELECT = `
  SELECT d.merchant_id, d.id, d.environment, d.endpoint_id, d.event_id, v.type AS event_type, v.intent_id, v.body,
         d.state, d.attempts,
         CASE WHEN NOT d.in_flight THEN d.due_at - ${aheadOf("d")} END AS next_attempt_at,
         d.created_at, d.ended_at,
         (SELECT coalesce(json_agg(a ORDER BY a.ordinal DESC), '[]') FROM (
            SELECT ordinal, attempted_at, status, duration_ms, request_headers, response_body, error, detail
            FROM delivery_attempt
            WHERE merchant_id = d.merchant_id AND delivery_id = d.id ORDER BY ordinal DESC LIMIT ${ATTEMPTS_SHOWN}) a)
           AS attempt_rows
  FROM delivery d JOIN event v ON v.merchant_id = d.merchant_id AND v.id = d.event_id
  WHERE d.merchant_id = $1 AND d.environment = $2`;

function attemptOf(row: AttemptRow): DeliveryAttempt {
  return {
    ordinal: row.ordinal,
    attemptedAt: new Date(row.attempted_at),
    status: row.status,
    durationMs: row.duration_ms,
    requestHeaders: row.request_headers,
    responseBody: row.response_body,
    error: row.error,
    detail: row.detail,
  };
}

function fromRow(row: Row): Delivery {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    intentId: row.intent_id,
    body: row.body,
    state: row.state,
    attemptCount: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    attempts: row.attempt_rows.map(attemptOf),
  };
}

/** The delivery, or null. */
export async function findDelivery({ merchantId, environment }: Scope, id: string): Promise<Delivery | null> {
  const [row] = await query<Row>(`${SELECT} AND d.id = $3`, merchantId, environment, id);
  return row ? fromRow(row) : null;
}

export interface DeliveryFilter {
  readonly eventId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly state?: DeliveryState | undefined;
}

/** At most `count` deliveries of an event or endpoint, newest first, after the position. */
export async function listDeliveries(
  { merchantId, environment }: Scope,
  { eventId, endpointId, state }: DeliveryFilter,
  after: PagePosition | null,
  count: number,
): Promise<Delivery[]> {
  const values: unknown[] = [merchantId, environment];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    eventId && `d.event_id = ${parameter(eventId)}`,
    endpointId && `d.endpoint_id = ${parameter(endpointId)}`,
    state && `d.state = ${parameter(state)}`,
    after && `(d.created_at, d.id) < (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)})`,
  ].filter(Boolean);
  const where = conditions.map((condition) => ` AND ${condition}`).join("");
  const rows = await query<Row>(
    `${SELECT}${where} ORDER BY d.created_at DESC, d.id DESC LIMIT ${parameter(count)}`,
    ...values,
  );
  return rows.map(fromRow);
}

/** One that is under way now is left alone: it is being sent. */
const RESEND = `
  UPDATE delivery d SET state = 'pending', step = 0, due_at = ${NOW_MS} + ${aheadOf("d")}, ended_at = NULL, in_flight = false,
         claims = claims + 1
  FROM webhook_endpoint e
  WHERE d.merchant_id = $1 AND d.id = $2 AND NOT (d.in_flight AND d.due_at > now())
    AND e.merchant_id = d.merchant_id AND e.id = d.endpoint_id AND e.deleted_at IS NULL
  RETURNING d.id`;

/** Makes the delivery due at once, at the beginning of its schedule, with an audit entry and the stored answer. */
export async function resendDelivery(
  { merchantId, environment, id, state }: Delivery,
  act: Act,
  responseFor: (after: Delivery) => Seal | null,
): Promise<Delivery> {
  return inTransaction(async (transaction) => {
    const changed = await transaction.query<unknown>(RESEND, merchantId, id);
    if (changed.length > 0) {
      const change = { merchantId, environment, action: "delivery.resend", objectId: id };
      await recordChange(transaction, { ...change, before: { state }, after: { state: "pending" } }, act);
    }
    const [row] = await transaction.query<Row>(`${SELECT} AND d.id = $3`, merchantId, environment, id);
    const after = fromRow(row as Row);
    const seal = responseFor(after);
    if (seal) await sealKeyWithin(transaction, merchantId, seal);
    return after;
  });
}
