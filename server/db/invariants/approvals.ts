// Invariants of the approval gate and its policies: two people approve, and nothing is dispatched unapproved or
// cancelled.
import { ENVIRONMENTS } from "@/server/domain/scope";
import type { Invariant } from "./invariant";
import { literal } from "./relations";

/** Maximum clock difference between two processes before an approval counts as later than the dispatch. */
const CLOCK_DIFFERENCE = "interval '5 seconds'";

/** Counts the approvals of payout `p` by people other than its makers, each person once. */
const byOthers = (condition: string) => `(
  SELECT count(DISTINCT v.member_id) FROM approval v
  WHERE v.merchant_id = p.merchant_id AND v.payout_id = p.id
    AND NOT is_maker(p, v.member_id) ${condition})`;

const DISPATCH = "provider_attempt t JOIN payout_intent p ON p.merchant_id = t.merchant_id AND p.id = t.intent_id";

export const APPROVAL_INVARIANTS: readonly Invariant[] = [
  {
    name: "payout_approved_before_dispatch",
    guarantee:
      "A payout that needs approvals was not announced to a provider before people other than its makers gave them.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.status, p.approvals_required, t.id AS attempt_id, t.started_at
      FROM ${DISPATCH}
      WHERE p.status = 'requires_approval'
         OR p.approvals_required > ${byOthers(`AND v.created_at <= t.started_at + ${CLOCK_DIFFERENCE}`)}`,
    needs: [`${DISPATCH} WHERE p.approvals_required > 0`],
  },
  {
    name: "payout_past_the_gate_is_approved",
    guarantee:
      "A payout that needs approvals is processing, succeeded or failed only with all of them, or if two people ended it after a provider had reported it.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.status, p.approvals_required
      FROM payout_intent p
      WHERE p.status IN ('processing', 'succeeded', 'failed') AND p.approvals_required > ${byOthers("")}
        AND NOT (p.status <> 'processing' AND is_contradicted(p.merchant_id, p.id) AND EXISTS (
          SELECT FROM manual_resolution r
          WHERE r.merchant_id = p.merchant_id AND r.intent_id = p.id AND r.state = 'confirmed'))`,
    needs: ["payout_intent WHERE status IN ('processing', 'succeeded', 'failed') AND approvals_required > 0"],
  },
  {
    name: "approval_by_another_person",
    guarantee: "No maker of a payout approved it.",
    sql: `
      SELECT v.merchant_id, v.payout_id AS intent_id, v.member_id, v.created_at
      FROM approval v JOIN payout_intent p ON p.merchant_id = v.merchant_id AND p.id = v.payout_id
      WHERE is_maker(p, v.member_id)`,
    needs: ["approval"],
  },
  {
    name: "key_makers_make_its_payouts",
    guarantee: "The member who created the API key of a payout, by the audit log, is among the makers of the payout.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.created_by_id AS api_key_id, a.actor_id AS member_id, p.makers
      FROM payout_intent p JOIN audit_entry a ON a.merchant_id = p.merchant_id AND a.object_id = p.created_by_id
        AND a.action = 'api_key.create' AND a.actor_type = 'member'
      WHERE p.created_by_type = 'api_key' AND p.makers IS NOT NULL AND a.actor_id <> ALL(p.makers)`,
    needs: ["payout_intent WHERE created_by_type = 'api_key' AND cardinality(makers) > 0"],
  },
  {
    name: "approvals_are_counted",
    guarantee: "The approval count of a payout is the number of other people who approved it, each counted once.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.status, p.approvals_given, ${byOthers("")} AS approvals
      FROM payout_intent p WHERE p.approvals_given <> ${byOthers("")}`,
    needs: ["approval"],
  },
  {
    name: "approval_is_under_the_payouts_policy",
    guarantee: "Every approval names the same version of the approval policy as its payout.",
    sql: `
      SELECT v.merchant_id, v.payout_id AS intent_id, v.member_id, v.policy_version AS approved_under, p.policy_version
      FROM approval v JOIN payout_intent p ON p.merchant_id = v.merchant_id AND p.id = v.payout_id
      WHERE v.policy_version <> p.policy_version`,
    needs: ["approval"],
  },
  {
    name: "payout_names_a_policy_that_held",
    guarantee:
      "The version that a payout names is, or was, the active approval policy of its merchant and environment.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.environment, p.policy_version, o.state
      FROM payout_intent p LEFT JOIN approval_policy o
        ON o.merchant_id = p.merchant_id AND o.environment = p.environment AND o.version = p.policy_version
      WHERE o.state IS NULL OR o.state NOT IN ('active', 'superseded')`,
    needs: ["payout_intent"],
  },
  {
    name: "merchant_has_one_active_policy",
    guarantee: "Every merchant has exactly one active approval policy in each environment.",
    sql: `
      SELECT m.id AS merchant_id, e.environment, count(o.version) AS active
      FROM merchant m CROSS JOIN (VALUES ${ENVIRONMENTS.map((name) => `(${literal(name)})`).join(", ")}) AS e(environment)
      LEFT JOIN approval_policy o ON o.merchant_id = m.id AND o.environment = e.environment AND o.state = 'active'
      GROUP BY m.id, e.environment HAVING count(o.version) <> 1`,
    needs: ["merchant"],
  },
  {
    name: "policy_took_two_people",
    guarantee: "Every approval policy except a merchant's first took effect through at least two members.",
    sql: `
      SELECT merchant_id, environment, version, state, proposed_by_type, proposed_by_id, decided_by_id
      FROM approval_policy
      WHERE state IN ('active', 'superseded') AND version > 1
        AND (proposed_by_type <> 'member' OR decided_by_id IS NULL OR decided_by_id = proposed_by_id)`,
    needs: ["approval_policy WHERE state IN ('active', 'superseded') AND version > 1"],
  },
  {
    name: "cancelled_payout_was_never_dispatched",
    guarantee: "A cancelled payout was never announced to a provider, and its failure states that it was cancelled.",
    sql: `
      SELECT p.merchant_id, p.id AS intent_id, p.failure_code, t.id AS attempt_id, t.started_at
      FROM payout_intent p LEFT JOIN provider_attempt t ON t.merchant_id = p.merchant_id AND t.intent_id = p.id
      WHERE p.status = 'cancelled' AND (t.id IS NOT NULL OR p.failure_code IS DISTINCT FROM 'cancelled')`,
    needs: ["payout_intent WHERE status = 'cancelled'", "provider_attempt"],
  },
];
