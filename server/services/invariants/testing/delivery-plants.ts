import type { Plant } from "./plant";

const ONE = (table: string, condition = "true") =>
  `ctid = (SELECT ctid FROM ${table} WHERE ${condition} ORDER BY ctid LIMIT 1)`;

/** Makes the endpoint older than every event. */
const LONG_SUBSCRIBED = "UPDATE webhook_endpoint SET subscribed_at = created_at - interval '1 hour'";

/** Planted violations of invariants about deliveries. */
export const DELIVERIES: readonly Plant[] = [
  {
    what: "an event without its delivery",
    breaks: ["event_has_its_deliveries"],
    sql: `${LONG_SUBSCRIBED} WHERE event_types IS NULL;
          DELETE FROM delivery WHERE ${ONE("delivery", "state = 'pending' AND attempts = 0")}`,
  },
  {
    what: "an event that no endpoint asks for",
    breaks: [],
    sql: `${LONG_SUBSCRIBED} WHERE event_types IS NOT NULL`,
  },
  {
    what: "a delivery of a test event that says it is live",
    breaks: ["delivery_belongs_to_its_event_and_endpoint"],
    sql: `UPDATE delivery SET environment = 'live' WHERE ${ONE("delivery", "attempts = 0")}`,
  },
  {
    what: "a delivery of no event",
    breaks: ["delivery_belongs_to_its_event_and_endpoint"],
    sql: `UPDATE delivery SET event_id = 'evt_nothing' WHERE ${ONE("delivery", "attempts = 0")}`,
  },
  {
    what: "a delivery to another merchant's endpoint",
    breaks: ["delivery_belongs_to_its_event_and_endpoint"],
    sql: `UPDATE delivery SET endpoint_id = 'we_foreign' WHERE ${ONE("delivery", "attempts = 0")}`,
  },
  {
    what: "an attempt left out",
    breaks: ["attempts_are_numbered_without_gap"],
    sql: `UPDATE delivery_attempt SET ordinal = ordinal - 1
          WHERE ${ONE("delivery_attempt", "status = 500")}`,
  },
  {
    what: "an attempt that was made and is not counted",
    breaks: ["attempts_are_numbered_without_gap"],
    sql: `UPDATE delivery SET attempts = attempts - 1 WHERE ${ONE("delivery", "state = 'pending' AND attempts > 0")}`,
  },
  {
    what: "a delivery that nobody accepted",
    breaks: ["delivered_means_accepted"],
    sql: `UPDATE delivery_attempt SET status = 302 WHERE ${ONE("delivery_attempt", "status = 200")}`,
  },
  {
    what: "an answer that broke off, taken for success",
    breaks: ["delivered_means_accepted"],
    sql: `UPDATE delivery_attempt SET error = 'timeout' WHERE ${ONE("delivery_attempt", "status = 200")}`,
  },
  {
    what: "a delivery given up although it was accepted",
    breaks: ["delivered_means_accepted"],
    sql: "UPDATE delivery SET state = 'failed' WHERE state = 'delivered'",
  },
  {
    what: "an endpoint that nobody sends to",
    breaks: ["no_endpoint_is_forgotten"],
    sql: `UPDATE webhook_endpoint SET state = 'enabled', held_until = NULL;
          UPDATE delivery SET due_at = now() - interval '61 seconds', in_flight = false WHERE state = 'pending'`,
  },
  {
    what: "a backlog that is being worked off",
    breaks: [],
    sql: `UPDATE webhook_endpoint SET state = 'enabled', held_until = NULL;
          UPDATE delivery SET due_at = now() - interval '61 seconds', in_flight = false WHERE state = 'pending';
          UPDATE delivery d SET due_at = now(), in_flight = true
          WHERE id IN (SELECT min(id) FROM delivery WHERE state = 'pending' GROUP BY endpoint_id)`,
  },
  {
    what: "what waits for a paused endpoint",
    breaks: [],
    sql: `UPDATE delivery SET due_at = now() - interval '1 hour' WHERE state = 'pending'`,
  },
];
