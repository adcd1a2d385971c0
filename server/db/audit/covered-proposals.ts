// Reads what one person proposed and another decided on, a stretch of rows at a time, each beside the entries about it.
import { query } from "../client";

export interface StoredProposal {
  readonly id: string;
  /** Of the proposal; null where there is none. */
  readonly entryId: string | null;
  readonly isAsAudited: boolean;
}

/** Where a kind of proposal is stored, and what its audit entries say of the row `t`. */
interface ProposalKind {
  /** What names a row of a merchant, and what its entries name as their object. */
  readonly key: string;
  readonly object: string;
  /** What the names of its audited actions begin with. */
  readonly actions: string;
  /** True when the entry `a` is the act of the person who proposed the row, or decided on it. */
  readonly isBy: (a: string, role: "proposed" | "decided") => string;
  /** True when the entry `p` of the proposal says what the row says. */
  readonly isContent: string;
  /** The last part of the name of the decision's action, by the state that it leads to. */
  readonly verb: string;
  /** True when what the decision caused, if anything, is as the row says. */
  readonly isEffect: string;
  /** True for a row that nobody had to propose. */
  readonly isGiven: string;
}

const VERB = "CASE t.state WHEN 'confirmed' THEN 'confirm' WHEN 'rejected' THEN 'reject' ELSE 'supersede' END";

const PROPOSALS = {
  journal_entry: {
    key: "id",
    object: "t.id",
    actions: "journal",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = ('operator', t.${role}_by_id)`,
    // Entries of earlier releases leave out what the entry is about, and that its money is not further money.
    isContent: `p.after || jsonb_build_object('object_id', coalesce(p.after->'object_id', to_jsonb(t.object_id), 'null'),
      'is_additional', coalesce(p.after->'is_additional', 'false')) = jsonb_build_object('from', t.from_account,
      'to', t.to_account, 'currency', t.currency, 'amount', t.amount::text, 'provider', t.provider,
      'exception_id', t.exception_id, 'object_id', t.object_id, 'is_additional', t.is_additional, 'state', 'proposed',
      'evidence', t.evidence)`,
    verb: VERB,
    isEffect: `t.state <> 'confirmed' OR EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.id
        AND a.action = 'journal.book' AND (a.actor_id, a.reason) = (t.decided_by_id, t.evidence))`,
    isGiven: "false",
  },
  manual_resolution: {
    key: "id",
    object: "t.id",
    actions: "manual_resolution",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = (t.${role}_by_type, t.${role}_by_id)`,
    // Entries of earlier releases leave the provider's reference out.
    isContent: `p.after || jsonb_build_object('provider_reference', coalesce(p.after->'provider_reference',
      to_jsonb(t.provider_reference), 'null')) = jsonb_build_object('intent_id', t.intent_id,
      'intent_revision', t.intent_revision, 'outcome', t.outcome, 'amount', t.amount::text, 'currency', t.currency,
      'provider_reference', t.provider_reference, 'state', 'proposed', 'digest', t.digest, 'evidence', t.evidence)`,
    verb: VERB,
    isEffect: `t.state <> 'confirmed' OR EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.intent_id
        AND split_part(a.action, '.', 2) = 'resolved_' || t.outcome
        AND a.before->'revision' = to_jsonb(t.intent_revision)
        AND (a.actor_id, a.reason) = (t.decided_by_id, t.evidence))`,
    isGiven: "false",
  },
  suspense_refund: {
    key: "id",
    object: "t.id",
    actions: "suspense_refund",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = ('member', t.${role}_by_id)`,
    isContent: `p.after = jsonb_build_object('exception_id', t.exception_id, 'fact', t.fact, 'payment_id', t.payment_id,
      'provider', t.provider, 'reference', t.reference, 'amount', t.amount::text, 'currency', t.currency,
      'state', 'proposed', 'reason', t.reason)`,
    verb: "CASE t.state WHEN 'rejected' THEN 'reject' ELSE 'confirm' END",
    isEffect: `t.state IN ('proposed', 'rejected', 'confirmed') OR EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.id
        AND a.action = ANY(CASE t.state
          WHEN 'settled' THEN ARRAY['suspense_refund.settle', 'suspense_refund.resolved_settled']
          WHEN 'failed' THEN ARRAY['suspense_refund.fail', 'suspense_refund.resolved_failed']
          ELSE ARRAY['suspense_refund.return'] END))`,
    isGiven: "false",
  },
  topup_policy_proposal: {
    key: "id",
    object: "t.id",
    actions: "topup_policies",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = ('member', t.${role}_by_id)`,
    isContent: "(p.before, p.after) = (t.replaced, t.wanted)",
    verb: VERB,
    // Policies that were already as proposed do not change.
    isEffect: "true",
    isGiven: "false",
  },
  approval_policy: {
    key: "environment || ' ' || version",
    object: "'approval_policy:' || t.version",
    actions: "approval_policy",
    // An operator acts as the member whose address they state.
    isBy: (a, role) => `((${a}.actor_type, ${a}.actor_id) = ('member', t.${role}_by_id) OR EXISTS (
      SELECT FROM member m
      WHERE ${a}.actor_type = 'operator' AND m.merchant_id = t.merchant_id AND m.id = t.${role}_by_id
        AND lower(btrim(m.email)) = ${a}.actor_id))`,
    isContent: `p.after = jsonb_build_object('version', t.version, 'state', 'proposed', 'rules', t.rules,
      'default_approvals', t.default_approvals)`,
    verb: "CASE t.state WHEN 'rejected' THEN 'reject' ELSE 'confirm' END",
    // Of the confirmed versions, the last is the active one.
    isEffect: `t.state NOT IN ('active', 'superseded') OR (t.state = 'superseded') = EXISTS (
      SELECT FROM approval_policy o
      JOIN audit_entry a ON a.merchant_id = o.merchant_id AND a.environment = o.environment
        AND a.object_id = 'approval_policy:' || o.version AND a.action = 'approval_policy.confirm'
      WHERE o.merchant_id = t.merchant_id AND o.environment = t.environment AND o.version > t.version)`,
    // The first version comes with the merchant. Entries of earlier releases leave it out.
    isGiven: `t.version = 1 AND NOT EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.object_id = t.merchant_id AND a.action = 'merchant.create'
        AND a.after->'approval_policy' <> jsonb_build_object('rules', t.rules, 'default_approvals', t.default_approvals))`,
  },
} as const satisfies Record<string, ProposalKind>;

export type ProposalTable = keyof typeof PROPOSALS;

/**
 * Up to `count` proposals of one table after `afterId`, by their keys. Each must have the entry of its proposal and, once it
 * is decided, of one decision: with its content, its people and its times.
 */
export function readCoveredProposals(
  table: ProposalTable,
  merchantId: string,
  afterId: string,
  count: number,
): Promise<StoredProposal[]> {
  const { key, object, actions, isBy, isContent, verb, isEffect, isGiven }: ProposalKind = PROPOSALS[table];
  const about = `a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = ${object}`;
  return query<StoredProposal>(
    `SELECT t.row_key AS id, p.id AS "entryId",
            coalesce((${isEffect}) AND (${isGiven} OR
              p.created_at = t.proposed_at AND ${isBy("p", "proposed")} AND ${isContent}
              AND d.count = (t.state <> 'proposed')::int AND d.fitting = d.count), false) AS "isAsAudited"
     FROM (SELECT *, ${key} AS row_key FROM ${table} WHERE merchant_id = $1 AND ${key} > $2 ORDER BY ${key} LIMIT $3) t
     LEFT JOIN LATERAL (
       SELECT * FROM audit_entry a WHERE ${about} AND a.action = '${actions}.propose' ORDER BY a.id LIMIT 1) p ON true
     CROSS JOIN LATERAL (
       SELECT count(*) AS count, count(*) FILTER (
                WHERE a.action = '${actions}.' || ${verb} AND ${isBy("a", "decided")}
                  AND t.decided_at = greatest(t.proposed_at, a.created_at)) AS fitting
       FROM audit_entry a
       WHERE ${about} AND a.action IN ('${actions}.confirm', '${actions}.reject', '${actions}.supersede')) d
     ORDER BY t.row_key`,
    merchantId,
    afterId,
    count,
  );
}
