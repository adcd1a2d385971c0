// The invariant of the overview's figures: nothing is added up twice or left out (docs/decisions/0015).
import type { Invariant } from "./invariant";
import { TERMINAL } from "./relations";

const ENDS = `(
  SELECT e.merchant_id, e.environment, e.created_at, 'payment_intent' AS kind, e.intent_id, i.currency, e.status,
         coalesce(e.failure_code, '') AS failure_code, i.amount
  FROM event e JOIN payment_intent i ON i.merchant_id = e.merchant_id AND i.id = e.intent_id
  UNION ALL
  SELECT e.merchant_id, e.environment, e.created_at, 'payout_intent', e.intent_id, i.currency, e.status,
         coalesce(e.failure_code, ''), i.amount
  FROM event e JOIN payout_intent i ON i.merchant_id = e.merchant_id AND i.id = e.intent_id)`;

/**
 * Audit entries above the marks: usually few; without a worker, all that there are. What they lead to is found by key, entry
 * by entry (OFFSET 0 makes sure): the planner expects one row, and would search all of these for each end.
 */
const UNFOLDED = `(
  SELECT l.merchant_id, l.entry_id
  FROM audit_chain c
  LEFT JOIN figure_mark m ON m.merchant_id = c.merchant_id
  JOIN LATERAL (SELECT merchant_id, entry_id FROM audit_link
                WHERE merchant_id = c.merchant_id AND sequence > coalesce(m.last_sequence, 0)) l ON true
  UNION ALL SELECT merchant_id, entry_id FROM audit_pending)`;

const GROUP = "kind, currency, status, failure_code";

/** Sums by quarters of an hour; hours are compared with the sums of these. */
const quarters = (ends: string) => `
  SELECT merchant_id, environment, date_bin(interval '15 minutes', created_at, timestamptz 'epoch') AS starts_at, ${GROUP},
         count(*) AS count, sum(amount) AS amount
  FROM ${ends} ends GROUP BY 1, 2, 3, 4, 5, 6, 7`;

export const FIGURE_INVARIANTS: readonly Invariant[] = [
  {
    name: "figures_are_the_ends",
    guarantee:
      "The overview's figures, and the ends above their marks, count each ended payment and payout once, for its amount.",
    sql: `
      WITH unfolded AS (
        SELECT v.* FROM ${UNFOLDED} u
        CROSS JOIN LATERAL (
          SELECT * FROM audit_entry
          WHERE merchant_id = u.merchant_id AND id = u.entry_id AND after->>'status' IN ${TERMINAL} OFFSET 0
        ) a
        CROSS JOIN LATERAL (
          SELECT * FROM ${ENDS} v
          WHERE v.merchant_id = a.merchant_id AND v.intent_id = a.object_id
            AND v.kind = split_part(a.action, '.', 1) AND v.status = a.after->>'status' OFFSET 0
        ) v
      ),
      added AS MATERIALIZED (
        SELECT merchant_id, environment, starts_at, ${GROUP}, sum(count) AS count, sum(amount) AS amount
        FROM (
          SELECT * FROM (${quarters(ENDS)}) ended
          UNION ALL
          SELECT merchant_id, environment, starts_at, ${GROUP}, -count, -amount FROM (${quarters("unfolded")}) waiting
        ) both_sums GROUP BY 1, 2, 3, 4, 5, 6, 7
      )
      SELECT merchant_id, environment, minutes, starts_at, ${GROUP},
             sum(count) AS count_too_high, sum(amount) AS amount_too_high
      FROM (
        SELECT merchant_id, environment, minutes, starts_at, ${GROUP}, count, amount FROM intent_figure
        UNION ALL
        SELECT merchant_id, environment, g.minutes, date_bin(g.minutes * interval '1 minute', starts_at, timestamptz 'epoch'),
               ${GROUP}, -count, -amount
        FROM added CROSS JOIN (VALUES (15), (60)) AS g(minutes)
      ) compared
      GROUP BY merchant_id, environment, minutes, starts_at, ${GROUP}
      HAVING sum(count) <> 0 OR sum(amount) <> 0`,
    needs: ["intent_figure", "event"],
  },
];
