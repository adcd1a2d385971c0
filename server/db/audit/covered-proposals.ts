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
  /** What the names of its audited actions begin with. */
  readonly actions: string;
  /** True when the entry `a` is the act of the person who proposed the row, or decided on it. */
  readonly isBy: (a: string, role: "proposed" | "decided") => string;
  /** True when the entry `p` of the proposal says what the row says. */
  readonly isContent: string;
  /** The last part of the name of the decision's action, by the state that it leads to. */
  readonly verb: string;
  /** True when the entry of what a confirmation causes says what the row says. */
  readonly isEffect: string;
}

const VERB = "CASE t.state WHEN 'confirmed' THEN 'confirm' WHEN 'rejected' THEN 'reject' ELSE 'supersede' END";

const PROPOSALS = {
  journal_entry: {
    actions: "journal",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = ('operator', t.${role}_by_id)`,
    isContent: `p.after = jsonb_build_object('from', t.from_account, 'to', t.to_account, 'currency', t.currency,
      'amount', t.amount::text, 'provider', t.provider, 'exception_id', t.exception_id, 'state', 'proposed',
      'evidence', t.evidence)`,
    verb: VERB,
    isEffect: `EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.id
        AND a.action = 'journal.book' AND (a.actor_id, a.reason) = (t.decided_by_id, t.evidence))`,
  },
  manual_resolution: {
    actions: "manual_resolution",
    isBy: (a, role) => `(${a}.actor_type, ${a}.actor_id) = (t.${role}_by_type, t.${role}_by_id)`,
    // Entries of earlier releases leave the provider's reference out.
    isContent: `p.after || jsonb_build_object('provider_reference', coalesce(p.after->'provider_reference',
      to_jsonb(t.provider_reference), 'null')) = jsonb_build_object('intent_id', t.intent_id,
      'intent_revision', t.intent_revision, 'outcome', t.outcome, 'amount', t.amount::text, 'currency', t.currency,
      'provider_reference', t.provider_reference, 'state', 'proposed', 'digest', t.digest, 'evidence', t.evidence)`,
    verb: VERB,
    isEffect: `EXISTS (
      SELECT FROM audit_entry a
      WHERE a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.intent_id
        AND split_part(a.action, '.', 2) = 'resolved_' || t.outcome
        AND a.before->'revision' = to_jsonb(t.intent_revision)
        AND (a.actor_id, a.reason) = (t.decided_by_id, t.evidence))`,
  },
} as const satisfies Record<string, ProposalKind>;

export type ProposalTable = keyof typeof PROPOSALS;

/**
 * Up to `count` proposals of one table after `afterId`, by id. Each must have the entry of its proposal, and of one
 * decision where it is decided: with its content, its people and its times.
 */
export function readCoveredProposals(
  table: ProposalTable,
  merchantId: string,
  afterId: string,
  count: number,
): Promise<StoredProposal[]> {
  const { actions, isBy, isContent, verb, isEffect } = PROPOSALS[table];
  const about = "a.merchant_id = t.merchant_id AND a.environment = t.environment AND a.object_id = t.id";
  return query<StoredProposal>(
    `SELECT t.id, p.id AS "entryId",
            coalesce(p.created_at = t.proposed_at AND ${isBy("p", "proposed")} AND ${isContent}
              AND d.count = (t.state <> 'proposed')::int AND d.fitting = d.count
              AND (t.state <> 'confirmed' OR ${isEffect}), false) AS "isAsAudited"
     FROM (SELECT * FROM ${table} WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3) t
     LEFT JOIN LATERAL (
       SELECT * FROM audit_entry a WHERE ${about} AND a.action = '${actions}.propose' ORDER BY a.id LIMIT 1) p ON true
     CROSS JOIN LATERAL (
       SELECT count(*) AS count, count(*) FILTER (
                WHERE a.action = '${actions}.' || ${verb} AND ${isBy("a", "decided")}
                  AND t.decided_at = greatest(t.proposed_at, a.created_at)) AS fitting
       FROM audit_entry a
       WHERE ${about} AND a.action IN ('${actions}.confirm', '${actions}.reject', '${actions}.supersede')) d
     ORDER BY t.id`,
    merchantId,
    afterId,
    count,
  );
}
