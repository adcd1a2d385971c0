// Replaying to an endpoint what has not reached it: what was given up or skipped, and what it never was to get.
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { newId } from "@/server/platform/ids";
import { type Act, recordChange } from "../audit/record";
import { inTransaction } from "../client";
import type { Seal } from "../commit/unit";
import { sealKeyWithin } from "../idempotency";
import { aheadOf } from "../merchant-time";
import { NOW_MS } from "../now-ms";

/** Undelivered, oldest first: the event's id, and the delivery's where there is one. */
const UNDELIVERED = `
  SELECT v.id AS event_id, d.id AS delivery_id
  FROM event v
  LEFT JOIN delivery d ON d.merchant_id = v.merchant_id AND d.event_id = v.id AND d.endpoint_id = $3
  WHERE v.merchant_id = $1 AND v.environment = $2 AND v.created_at >= $4::timestamptz
    AND (d.state IN ('failed', 'skipped') OR (d.id IS NULL AND ($5::text[] IS NULL OR v.type = ANY ($5::text[]))))
  ORDER BY v.created_at, v.id LIMIT $6`;

const MERCHANTS_NOW = `${NOW_MS} + ${aheadOf({ merchant: "$1", environment: "$2" })}`;

const REPLAY = `
  INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, due_at, created_at)
  SELECT $1, u.id, $2, $3, u.event_id, 'pending', ${MERCHANTS_NOW}, ${NOW_MS}
  FROM jsonb_to_recordset($4::jsonb) AS u(event_id text, id text)
  ON CONFLICT (merchant_id, event_id, endpoint_id) DO UPDATE
    SET state = 'pending', step = 0, due_at = excluded.due_at, ended_at = NULL, in_flight = false, claims = delivery.claims + 1
    WHERE delivery.state IN ('failed', 'skipped')
  RETURNING id`;

export interface ReplayCount {
  /** Deliveries that are due now. */
  readonly count: number;
  /** True when there were more than one call takes on. */
  readonly hasMore: boolean;
}

/** Makes up to `limit` undelivered events since then due at once, with an audit entry and the stored answer. */
export function replayDeliveries(
  { merchantId, environment, id, eventTypes }: WebhookEndpoint,
  { since, limit }: { readonly since: Date; readonly limit: number },
  act: Act,
  responseFor: (replayed: ReplayCount) => Seal | null,
): Promise<ReplayCount> {
  return inTransaction(async (transaction) => {
    const found = await transaction.query<{ event_id: string; delivery_id: string | null }>(
      UNDELIVERED,
      merchantId,
      environment,
      id,
      since,
      eventTypes,
      limit + 1,
    );
    const rows = found.slice(0, limit).map(({ event_id, delivery_id }) => ({
      event_id,
      id: delivery_id ?? newId("delivery"),
    }));
    const due = await transaction.query<unknown>(REPLAY, merchantId, environment, id, JSON.stringify(rows));
    const replayed = { count: due.length, hasMore: found.length > limit };
    const after = { since: since.toISOString(), deliveries: replayed.count };
    const change = { merchantId, environment, action: "webhook_endpoint.replay", objectId: id };
    await recordChange(transaction, { ...change, before: null, after }, act);
    const seal = responseFor(replayed);
    if (seal) await sealKeyWithin(transaction, merchantId, seal);
    return replayed;
  });
}
