// Invariants of the whole audit log. Verifying its hashes needs the key: `cli audit verify`.
import type { Invariant } from "./invariant";

export const AUDIT_INVARIANTS: readonly Invariant[] = [
  {
    name: "audit_entry_is_linked_or_queued",
    guarantee: "Every audit entry is in its merchant's chain or queued for it, and neither contains anything else.",
    sql: `
      SELECT merchant_id, entry_id, e.id IS NOT NULL AS has_entry, l.sequence, p.queued_at
      FROM (SELECT merchant_id, id AS entry_id, id FROM audit_entry) e
      FULL JOIN audit_link l USING (merchant_id, entry_id)
      FULL JOIN audit_pending p USING (merchant_id, entry_id)
      WHERE e.id IS NULL OR (l.sequence IS NULL) = (p.queued_at IS NULL)`,
    needs: ["audit_entry", "audit_link"],
  },
  {
    name: "audit_chain_is_numbered_without_gap",
    guarantee:
      "The links of each merchant are numbered 1, 2, 3, … up to the stored end of its chain, and the last link has the hash of that end.",
    sql: `
      SELECT coalesce(c.merchant_id, l.merchant_id) AS merchant_id, c.last_sequence, coalesce(l.count, 0) AS links, coalesce(l.last, 0) AS highest,
             c.last_hash IS NOT DISTINCT FROM last.hash AS same_hash
      FROM audit_chain c
      FULL JOIN (SELECT merchant_id, count(*) AS count, max(sequence) AS last FROM audit_link GROUP BY 1) l
        ON l.merchant_id = c.merchant_id
      LEFT JOIN audit_link last ON last.merchant_id = c.merchant_id AND last.sequence = c.last_sequence
      WHERE c.last_sequence IS DISTINCT FROM coalesce(l.count, 0) OR c.last_sequence IS DISTINCT FROM coalesce(l.last, 0)
         OR (c.last_sequence > 0 AND c.last_hash IS DISTINCT FROM last.hash)`,
    needs: ["audit_chain", "audit_link"],
  },
  {
    name: "decision_has_its_audit_entry",
    guarantee:
      "Every resolved exception, and every ended pause of a merchant, has an audit entry that names who decided it.",
    sql: `
      SELECT merchant_id, id AS object_id, action
      FROM (
        SELECT merchant_id, id, 'exception.resolve' AS action, resolved_by_type || ':' || resolved_by_id AS actor
        FROM exception WHERE resolved_at IS NOT NULL
        UNION ALL
        SELECT merchant_id, id, 'dispatch.resume', resumed_by
        FROM dispatch_pause WHERE resumed_at IS NOT NULL AND merchant_id IS NOT NULL) d
      WHERE NOT EXISTS (
        SELECT FROM audit_entry a
        WHERE a.merchant_id = d.merchant_id AND a.object_id = d.id AND a.action = d.action
          AND a.actor_type || ':' || a.actor_id = d.actor)`,
    needs: ["exception WHERE resolved_at IS NOT NULL"],
  },
];
