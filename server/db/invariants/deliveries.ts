// Invariants of deliveries: every event has a delivery to every endpoint that subscribes to it.
import { aheadOf } from "../merchant-time";
import { dueAt } from "../webhooks/due";
import type { Invariant } from "./invariant";

/**
 * An endpoint created or changed while an event commits may or may not get it. Events have the merchant's time,
 * endpoints the database's; these differ at most by the clock's current offset.
 */
const MARGIN = "interval '10 seconds'";

/** A running worker is never this late; a dead worker's claims have expired by then. */
const PATIENCE = "interval '60 seconds'";

const OF_DELIVERY = "d.merchant_id = a.merchant_id AND d.id = a.delivery_id";

export const DELIVERY_INVARIANTS: readonly Invariant[] = [
  {
    name: "event_has_its_deliveries",
    guarantee:
      "Every event has a delivery for each endpoint that existed and subscribed to its type when the event occurred.",
    sql: `
      SELECT v.merchant_id, v.id AS event_id, v.type, v.created_at, e.id AS endpoint_id, e.subscribed_at
      FROM event v JOIN webhook_endpoint e ON e.merchant_id = v.merchant_id AND e.environment = v.environment
      WHERE e.deleted_at IS NULL AND v.created_at > e.subscribed_at + ${MARGIN} + ${aheadOf("v")}
        AND (e.event_types IS NULL OR v.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM delivery d
                        WHERE d.merchant_id = v.merchant_id AND d.event_id = v.id AND d.endpoint_id = e.id)`,
    needs: ["event", "delivery", "webhook_endpoint WHERE deleted_at IS NULL"],
  },
  {
    name: "delivery_belongs_to_its_event_and_endpoint",
    guarantee: "Every delivery is of an event to an endpoint of its merchant and environment.",
    sql: `
      SELECT merchant_id, environment, id AS delivery_id, event_id, endpoint_id FROM delivery d
      WHERE NOT EXISTS (SELECT FROM event v WHERE (v.merchant_id, v.environment, v.id) = (d.merchant_id, d.environment, d.event_id))
         OR NOT EXISTS (SELECT FROM webhook_endpoint e
                        WHERE (e.merchant_id, e.environment, e.id) = (d.merchant_id, d.environment, d.endpoint_id))`,
    needs: ["delivery"],
  },
  {
    name: "attempts_are_numbered_without_gap",
    guarantee: "The stored attempts of a delivery are numbered without gaps, up to the number of attempts made.",
    sql: `
      SELECT d.merchant_id, d.id AS delivery_id, d.attempts, min(a.ordinal) AS first, max(a.ordinal) AS last, count(*) AS kept
      FROM delivery_attempt a LEFT JOIN delivery d ON ${OF_DELIVERY}
      GROUP BY d.merchant_id, d.id, d.attempts
      HAVING d.id IS NULL OR max(a.ordinal) <> d.attempts OR max(a.ordinal) - min(a.ordinal) + 1 <> count(*)`,
    needs: ["delivery_attempt"],
  },
  {
    name: "delivered_means_accepted",
    guarantee: "A delivery is delivered exactly when its last attempt received a complete response with a 2xx status.",
    sql: `
      SELECT d.merchant_id, d.id AS delivery_id, d.state, a.ordinal, a.status, a.error
      FROM delivery_attempt a JOIN delivery d ON ${OF_DELIVERY} AND d.attempts = a.ordinal
      WHERE d.state IN ('delivered', 'failed')
        AND (d.state = 'delivered') <> (a.error IS NULL AND a.status BETWEEN 200 AND 299)`,
    needs: ["delivery_attempt", "delivery WHERE state = 'delivered'"],
  },
  {
    name: "no_endpoint_is_forgotten",
    guarantee:
      "If a delivery to an endpoint has been due for more than 60 seconds, other deliveries to that endpoint are in flight.",
    sql: `
      SELECT e.merchant_id, e.id AS endpoint_id, count(*) AS overdue, min(d.due_at) AS due_at
      FROM webhook_endpoint e JOIN delivery d ON d.merchant_id = e.merchant_id AND d.endpoint_id = e.id AND d.state = 'pending'
      WHERE e.state = 'enabled' AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until < now() - ${PATIENCE})
        AND ${dueAt("d", aheadOf("e"))} < now() - ${PATIENCE}
        AND NOT EXISTS (SELECT FROM delivery o WHERE o.merchant_id = e.merchant_id AND o.endpoint_id = e.id
                        AND o.state = 'pending' AND o.in_flight AND o.due_at > now() - ${PATIENCE})
      GROUP BY e.merchant_id, e.id`,
    needs: ["delivery WHERE state = 'pending'"],
  },
];
