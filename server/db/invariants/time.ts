// Invariants of time: it never runs backwards within an intent.
import type { Invariant } from "./invariant";
import { HISTORY, INTENT_TABLES, INTENTS } from "./relations";

export const TIME_INVARIANTS: readonly Invariant[] = [
  {
    name: "intent_time_runs_forward",
    guarantee: "No intent was updated before it was created.",
    sql: `
      SELECT merchant_id, id AS intent_id, created_at, updated_at FROM ${INTENTS} i WHERE updated_at < created_at`,
    needs: INTENT_TABLES,
  },
  {
    name: "history_time_runs_forward",
    guarantee: "The changes of an intent follow each other in time, from its creation to its last update.",
    sql: `
      SELECT merchant_id, id AS intent_id, audit_id, action, at, earliest, latest
      FROM (
        SELECT h.merchant_id, h.id, audit_id, action, h.created_at AS at, i.updated_at AS latest,
               coalesce(lag(h.created_at) OVER (PARTITION BY h.merchant_id, h.id ORDER BY to_revision, audit_id),
                        i.created_at) AS earliest
        FROM ${HISTORY} h JOIN ${INTENTS} i ON i.merchant_id = h.merchant_id AND i.id = h.id) step
      WHERE at < earliest OR at > latest`,
    needs: ["audit_entry WHERE before IS NOT NULL"],
  },
];
