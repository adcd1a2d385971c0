// How an endpoint has fared over the last days, read from a bounded number of attempts of each stretch of time.
import { type EndpointStretch, HISTORY_DAYS, STRETCH_COUNTED, STRETCH_HOURS } from "@/server/domain/endpoint-condition";
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";

const STRETCH = `interval '${STRETCH_HOURS} hours'`;

/**
 * Stretches begin at whole multiples of their length since 1970, in UTC, so that they stay what they are while time goes on.
 * The last one contains the present. All that is read of an attempt is in the index of attempts by endpoint. The beginning of
 * a stretch is compared after the limit: within it, the planner would expect fewer rows than the limit, read and sort them all.
 */
export const HISTORY = `
  SELECT s.from, counted.attempts, counted.accepted, counted.median_ms AS "medianMs", counted.slow_ms AS "slowMs"
  FROM webhook_endpoint e
  CROSS JOIN (SELECT date_bin(${STRETCH}, now(), 'epoch'::timestamptz) AS newest) present
  CROSS JOIN LATERAL generate_series(present.newest - interval '${HISTORY_DAYS} days', present.newest, ${STRETCH}) s("from")
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS attempts,
           (count(*) FILTER (WHERE a.error IS NULL AND a.status BETWEEN 200 AND 299))::int AS accepted,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.error IS NULL) AS median_ms,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.error IS NULL) AS slow_ms
    FROM (SELECT status, error, duration_ms, attempted_at FROM delivery_attempt
          WHERE merchant_id = $1 AND endpoint_id = $3 AND attempted_at < s.from + ${STRETCH}
          ORDER BY attempted_at DESC LIMIT ${STRETCH_COUNTED}) a
    WHERE a.attempted_at >= s.from
  ) counted
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.id = $3 AND e.deleted_at IS NULL
  ORDER BY s.from`;

/** The stretches of an endpoint of the scope, the oldest first; none if it is not there. */
export function readHistory({ merchantId, environment }: Scope, endpointId: string): Promise<EndpointStretch[]> {
  return query<EndpointStretch>(HISTORY, merchantId, environment, endpointId);
}
