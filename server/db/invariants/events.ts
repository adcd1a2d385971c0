// Invariants of events: one per finished payment or payout, with the same data as the intent (interface §6).
import type { Invariant } from "./invariant";
import { INTENTS, TERMINAL } from "./relations";

export const EVENT_INVARIANTS: readonly Invariant[] = [
  {
    name: "one_event_per_terminal_intent",
    guarantee:
      "A payment or payout has exactly one event if it is terminal and none otherwise; a top-up never has one.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, count(v.id) AS events
      FROM ${INTENTS} i LEFT JOIN event v ON v.merchant_id = i.merchant_id AND v.intent_id = i.id
      GROUP BY i.kind, i.merchant_id, i.id, i.status
      HAVING count(v.id) <> (CASE WHEN i.kind <> 'topup_intent' AND i.status IN ${TERMINAL} THEN 1 ELSE 0 END)`,
    needs: ["event", "topup_intent WHERE status = 'succeeded'"],
  },
  {
    name: "event_tells_what_the_intent_tells",
    guarantee: "The type, status and failure of an event are those of its intent.",
    sql: `
      SELECT v.merchant_id, v.id AS event_id, v.intent_id, v.type, v.status, i.status AS intent_status,
             v.failure_code, i.failure_code AS intent_failure_code
      FROM event v JOIN ${INTENTS} i ON i.merchant_id = v.merchant_id AND i.id = v.intent_id
      WHERE (v.type, v.status, v.failure_code, v.failure_message)
        IS DISTINCT FROM (i.kind || '.' || i.status, i.status, i.failure_code, i.failure_message)`,
    needs: ["event", "event WHERE failure_code IS NOT NULL"],
  },
];
