// How an endpoint has fared lately, read from a bounded number of rows whatever its traffic and backlog.

import {
  ATTEMPTS_COUNTED,
  COUNTED_HOURS,
  type EndpointActivity,
  WAITING_COUNTED,
} from "@/server/domain/endpoint-condition";
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";
import { aheadOf } from "../merchant-time";

/**
 * The orders lead the planner to the index of attempts by endpoint, and to that of pending deliveries. Deliveries in flight
 * are few: as many as an endpoint is sent at once.
 */
export const ACTIVITY = `
  SELECT recent.attempts, recent.accepted, recent.median_ms AS "medianMs", recent.slow_ms AS "slowMs",
         newest.status AS "lastStatus", newest.error AS "lastError", newest.attempted_at AS "lastAttemptAt",
         waiting.count AS waiting,
         CASE WHEN e.state = 'enabled' THEN greatest(next.at, e.held_until) END AS "nextAttemptAt"
  FROM webhook_endpoint e
  CROSS JOIN (
    SELECT count(*)::int AS attempts,
           (count(*) FILTER (WHERE a.error IS NULL AND a.status BETWEEN 200 AND 299))::int AS accepted,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.error IS NULL) AS median_ms,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.error IS NULL) AS slow_ms
    FROM (SELECT status, error, duration_ms FROM delivery_attempt
          WHERE merchant_id = $1 AND endpoint_id = $3 AND attempted_at > now() - interval '${COUNTED_HOURS} hours'
          ORDER BY attempted_at DESC LIMIT ${ATTEMPTS_COUNTED}) a) recent
  LEFT JOIN (
    SELECT status, error, attempted_at FROM delivery_attempt
    WHERE merchant_id = $1 AND endpoint_id = $3 ORDER BY attempted_at DESC LIMIT 1) newest ON true
  CROSS JOIN (
    SELECT count(*)::int AS count FROM (
      SELECT FROM delivery WHERE merchant_id = $1 AND endpoint_id = $3 AND state = 'pending'
      ORDER BY due_at LIMIT ${WAITING_COUNTED}) d) waiting
  LEFT JOIN (
    SELECT d.due_at - ${aheadOf("d")} AS at FROM delivery d
    WHERE d.merchant_id = $1 AND d.endpoint_id = $3 AND d.state = 'pending' AND NOT d.in_flight
    ORDER BY d.due_at LIMIT 1) next ON true
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.id = $3 AND e.deleted_at IS NULL`;

/** The activity of an endpoint of the scope; null if it is not there. */
export async function readActivity(
  { merchantId, environment }: Scope,
  endpointId: string,
): Promise<EndpointActivity | null> {
  const [row] = await query<EndpointActivity>(ACTIVITY, merchantId, environment, endpointId);
  return row ?? null;
}
