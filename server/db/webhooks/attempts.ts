// What attempts leave behind: the record of each, the delivery's next step, the endpoint's health; in one statement.
import type { NextStep } from "@/server/domain/delivery";
import type { Scope } from "@/server/domain/scope";
import { query, queryAcrossMerchants } from "../client";
import { isAttributable, retryOnLockConflict } from "../failures";
import { createMerchantBatcher } from "../merchant-batcher";
import { aheadOf } from "../merchant-time";
import { type ClaimedDelivery, WAITING_ENDPOINTS } from "./claims";

/** One attempt as it was made and answered. */
export interface AttemptFacts {
  readonly status: number | null;
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The first 4 KiB. */
  readonly responseBody: string;
  readonly error: string | null;
  readonly detail: string | null;
  readonly attemptedAt: Date;
}

/** An attempt under a claim, and what it means. */
export interface AttemptReport {
  readonly delivery: Pick<ClaimedDelivery, "merchantId" | "id" | "endpointId" | "claims">;
  readonly facts: AttemptFacts;
  readonly next: NextStep;
  /** Nothing is sent to the endpoint for so long, in ms; 0 where it goes on. */
  readonly holdMs: number;
}

/** What an endpoint's row `e` must still learn of its health `h`; most attempts tell nothing new. */
const IS_NEWS = `(h.is_well = (e.failing_since IS NOT NULL) OR h.hold_ms > 0
      OR h.accepted_at >= coalesce(e.last_accepted_at, '-infinity') + interval '1 minute')`;

/**
 * A claim that has lapsed meanwhile writes nothing: another worker has the delivery. Endpoints are locked by merchant and
 * id, as everything does that locks several of them.
 */
const RECORD = `
WITH report AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(
    n int, merchant_id text, delivery_id text, endpoint_id text, claims int, state text, pause_ms float, hold_ms float,
    status int, duration_ms int, request_headers jsonb, response_body text, error text, detail text,
    attempted_at timestamptz)
),
done AS (
  UPDATE delivery d
  SET state = r.state, attempts = d.attempts + 1, step = d.step + 1, in_flight = false,
      due_at = CASE r.state WHEN 'pending' THEN now() + ${aheadOf("d")} + r.pause_ms * interval '1 millisecond' END,
      ended_at = CASE WHEN r.state <> 'pending' THEN now() END
  FROM report r
  WHERE d.merchant_id = r.merchant_id AND d.id = r.delivery_id AND d.claims = r.claims AND d.in_flight
  RETURNING r.*, d.attempts
),
recorded AS (
  INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers, response_body,
                                error, detail, attempted_at, endpoint_id)
  SELECT merchant_id, delivery_id, attempts, status, duration_ms, request_headers, response_body, error, detail,
         attempted_at, endpoint_id
  FROM done
),
health AS (
  SELECT merchant_id, endpoint_id, bool_or(state = 'delivered') AS is_well, max(hold_ms) AS hold_ms,
         min(attempted_at) AS since, max(attempted_at) FILTER (WHERE state = 'delivered') AS accepted_at
  FROM done GROUP BY 1, 2
),
locked AS (
  SELECT h.*
  FROM health h JOIN webhook_endpoint e ON e.merchant_id = h.merchant_id AND e.id = h.endpoint_id
  WHERE e.deleted_at IS NULL AND ${IS_NEWS}
  ORDER BY h.merchant_id, h.endpoint_id FOR NO KEY UPDATE OF e
),
noted AS (
  UPDATE webhook_endpoint e
  SET failing_since = CASE WHEN NOT h.is_well THEN coalesce(e.failing_since, h.since) END,
      warned_hours = CASE WHEN h.is_well THEN 0 ELSE e.warned_hours END,
      last_accepted_at = greatest(e.last_accepted_at, h.accepted_at),
      held_until = CASE WHEN h.hold_ms > 0 THEN greatest(e.held_until, now() + h.hold_ms * interval '1 millisecond')
                   ELSE e.held_until END
  FROM locked h
  WHERE e.merchant_id = h.merchant_id AND e.id = h.endpoint_id AND e.deleted_at IS NULL AND ${IS_NEWS}
)
SELECT n FROM done`;

function rowOf({ delivery, facts, next, holdMs }: AttemptReport, n: number) {
  return {
    n,
    merchant_id: delivery.merchantId,
    delivery_id: delivery.id,
    endpoint_id: delivery.endpointId,
    claims: delivery.claims,
    state: next.state,
    pause_ms: next.state === "pending" ? next.pauseMs : 0,
    hold_ms: holdMs,
    status: facts.status,
    duration_ms: Math.round(facts.durationMs),
    request_headers: facts.requestHeaders,
    response_body: facts.responseBody,
    error: facts.error,
    detail: facts.detail,
    attempted_at: facts.attemptedAt,
  };
}

const MAXIMUM_BATCH = 200;

async function record(reports: readonly AttemptReport[]): Promise<boolean[]> {
  const rows = await query<{ n: number }>(RECORD, JSON.stringify(reports.map(rowOf)));
  const written = new Set(rows.map(({ n }) => n));
  return reports.map((_, n) => written.has(n));
}

/** Two batches with lapsed claims may want the same deliveries in another order; trying again is enough. */
function recordPatiently(reports: readonly AttemptReport[]): Promise<boolean[]> {
  return retryOnLockConflict(() => record(reports));
}

const reports = createMerchantBatcher<AttemptReport, boolean>({
  merchantOf: ({ delivery }) => delivery.merchantId,
  run: recordPatiently,
  isAttributable,
  exclusiveKey: ({ delivery }) => `${delivery.merchantId}/${delivery.id}`,
  maximumSize: MAXIMUM_BATCH,
});

/** Writes what came of an attempt, beside others of the same moment; false when the claim had lapsed. */
export function recordAttempt(report: AttemptReport): Promise<boolean> {
  return reports.add(report);
}

/** Notes that the merchant was warned of an endpoint that fails; false when somebody else has. */
export async function noteWarning({ merchantId }: Scope, endpointId: string, hours: number): Promise<boolean> {
  const rows = await query(
    `UPDATE webhook_endpoint SET warned_hours = $3
     WHERE merchant_id = $1 AND id = $2 AND warned_hours < $3 AND failing_since IS NOT NULL AND deleted_at IS NULL
     RETURNING id`,
    merchantId,
    endpointId,
    hours,
  );
  return rows.length === 1;
}

/**
 * It starts from the endpoints that have something waiting: those are few, while deleted ones only become more. The order
 * leads the planner to the index of pending deliveries.
 */
export const SKIP_ORPHANS = `
  WITH RECURSIVE ${WAITING_ENDPOINTS},
  orphan AS MATERIALIZED (
    SELECT d.merchant_id, d.id
    FROM waiting w JOIN webhook_endpoint e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
    CROSS JOIN LATERAL (
      SELECT p.merchant_id, p.id FROM delivery p
      WHERE p.merchant_id = w.merchant_id AND p.endpoint_id = w.endpoint_id AND p.state = 'pending'
      ORDER BY p.due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) d
    WHERE e.deleted_at IS NOT NULL
    LIMIT $1
  )
  UPDATE delivery d SET state = 'skipped', due_at = NULL, in_flight = false, claims = d.claims + 1, ended_at = now()
  FROM orphan WHERE d.merchant_id = orphan.merchant_id AND d.id = orphan.id
  RETURNING d.id`;

/** Skips up to `count` deliveries that a deletion of their endpoint left waiting; returns how many. */
export async function skipOrphansAcrossMerchants(count: number): Promise<number> {
  return (await queryAcrossMerchants<unknown>(SKIP_ORPHANS, count)).length;
}
