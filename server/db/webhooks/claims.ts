// Claims due deliveries: a few of each endpoint, so that one endpoint's backlog does not delay another's.
import type { EventType } from "@/server/domain/events";
import type { Environment } from "@/server/domain/scope";
import { query, queryAcrossMerchants } from "../client";
import { orOnLockConflict } from "../failures";
import { runForMerchants } from "../merchant-fences";
import { aheadOf } from "../merchant-time";
import { NOW_MS } from "../now-ms";
import { isDue } from "./due";

/** A delivery this worker has until its lease ends, with all that sending it needs. */
export interface ClaimedDelivery {
  readonly merchantId: string;
  readonly id: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly eventId: string;
  /** Tells this claim from every other of the delivery. */
  readonly claims: number;
  /** Attempts made on the present round of the schedule. */
  readonly step: number;
  readonly url: string;
  /** Sealed; the present secret first. */
  readonly secretsSealed: readonly string[];
  readonly failingSince: Date | null;
  readonly warnedHours: number;
  readonly type: EventType;
  readonly body: string;
}

/**
 * A recursive CTE `waiting` of the endpoints with pending deliveries. It hops along the index of pending deliveries, with
 * one probe per endpoint, whatever the length of the backlogs.
 */
export const WAITING_ENDPOINTS = `waiting AS (
  (SELECT merchant_id, endpoint_id FROM delivery WHERE state = 'pending' ORDER BY merchant_id, endpoint_id LIMIT 1)
  UNION ALL
  SELECT next.merchant_id, next.endpoint_id
  FROM waiting w CROSS JOIN LATERAL (
    SELECT d.merchant_id, d.endpoint_id FROM delivery d
    WHERE d.state = 'pending' AND (d.merchant_id, d.endpoint_id) > (w.merchant_id, w.endpoint_id)
    ORDER BY d.merchant_id, d.endpoint_id LIMIT 1) next
)`;

/**
 * All first in line come before all second in line. Only what is pending is ever due; saying so again in the UPDATE would
 * lead the planner to the index of pending deliveries instead of the primary key.
 */
const CLAIM = `
WITH RECURSIVE ${WAITING_ENDPOINTS},
sendable AS MATERIALIZED (
  SELECT e.merchant_id, e.id AS endpoint_id, coalesce(($1::jsonb->>e.id)::int, $2) AS room,
         CASE e.environment WHEN 'test' THEN ${aheadOf("e")} ELSE interval '0' END AS ahead
  FROM waiting w JOIN webhook_endpoint e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
  WHERE e.state = 'enabled' AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until <= now())
),
chosen AS MATERIALIZED (
  SELECT line.merchant_id, line.id, s.ahead
  FROM sendable s CROSS JOIN LATERAL (
    SELECT d.merchant_id, d.id, d.due_at, row_number() OVER (ORDER BY d.due_at) AS place FROM (
      SELECT w.merchant_id, w.id, w.due_at FROM delivery w
      WHERE w.merchant_id = s.merchant_id AND w.endpoint_id = s.endpoint_id AND w.state = 'pending'
        AND ${isDue("w", "s.ahead")}
      ORDER BY w.due_at LIMIT s.room) d) line
  ORDER BY line.place, line.due_at - s.ahead LIMIT $3
),
claimed AS (
  UPDATE delivery d SET due_at = now() + $4 * interval '1 millisecond', in_flight = true, claims = d.claims + 1
  FROM chosen
  WHERE d.merchant_id = chosen.merchant_id AND d.id = chosen.id AND ${isDue("d", "chosen.ahead")}
  RETURNING d.merchant_id, d.id, d.environment, d.endpoint_id, d.event_id, d.claims, d.step
)
SELECT c.*, e.url, e.secret_sealed, e.failing_since, e.warned_hours, v.type, v.body,
       CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_secret_sealed
FROM claimed c
JOIN webhook_endpoint e ON e.merchant_id = c.merchant_id AND e.id = c.endpoint_id
JOIN event v ON v.merchant_id = c.merchant_id AND v.id = c.event_id`;

interface Row {
  merchant_id: string;
  id: string;
  environment: Environment;
  endpoint_id: string;
  event_id: string;
  claims: number;
  step: number;
  url: string;
  secret_sealed: string;
  previous_secret_sealed: string | null;
  failing_since: Date | null;
  warned_hours: number;
  type: EventType;
  body: string;
}

function fromRow(row: Row): ClaimedDelivery {
  const { secret_sealed: present, previous_secret_sealed: previous } = row;
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    claims: row.claims,
    step: row.step,
    url: row.url,
    secretsSealed: previous === null ? [present] : [present, previous],
    failingSince: row.failing_since,
    warnedHours: row.warned_hours,
    type: row.type,
    body: row.body,
  };
}

export interface ClaimLimits {
  /** Limits by endpoint id; `newEndpoint` is that of endpoints not named. */
  readonly perEndpoint: Readonly<Record<string, number>>;
  readonly newEndpoint: number;
  readonly total: number;
}

/** Takes due deliveries for `leaseMs`: they fall due again then, should their worker die. */
export async function claimDueDeliveriesAcrossMerchants(
  { perEndpoint, newEndpoint, total }: ClaimLimits,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const claim = queryAcrossMerchants<Row>(CLAIM, JSON.stringify(perEndpoint), newEndpoint, total, leaseMs);
  return (await orOnLockConflict(claim, [])).map(fromRow);
}

/** Returns claims unused: the deliveries are due at once for any process. Those of merchants that move are due after the lease. */
export async function giveBackDeliveries(all: readonly ClaimedDelivery[]): Promise<void> {
  await runForMerchants(all, (claimed) =>
    query(
      `UPDATE delivery d SET due_at = ${NOW_MS} + ${aheadOf("d")}, in_flight = false
     FROM jsonb_to_recordset($1::jsonb) AS c(merchant_id text, id text, claims int)
     WHERE d.merchant_id = c.merchant_id AND d.id = c.id AND d.claims = c.claims AND d.in_flight`,
      JSON.stringify(claimed.map(({ merchantId, id, claims }) => ({ merchant_id: merchantId, id, claims }))),
    ),
  );
}
