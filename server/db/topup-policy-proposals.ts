// Changes of a merchant's top-up policies: proposed by one member, decided by another, each with its audit entry.
import type { Scope } from "@/server/domain/scope";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import { changeTermsWithin, lockTerms } from "./topup-terms";
import type { Transaction } from "./transaction";

export interface TopupPolicyProposal {
  readonly id: string;
  /** The policies as they were when it was proposed. */
  readonly replaced: TopupPolicies;
  readonly wanted: TopupPolicies;
  /** Keyed, over the proposal. */
  readonly digest: string;
  readonly proposedById: string;
  readonly proposedAt: Date;
}

const OBJECT = (column: string) => `jsonb_build_object('overpayment', ${column}->>'overpayment',
  'underpayment', ${column}->>'underpayment', 'latePayment', ${column}->>'late_payment')`;

const COLUMNS = `id, ${OBJECT("replaced")} AS replaced, ${OBJECT("wanted")} AS wanted, digest,
  proposed_by_id AS "proposedById", proposed_at AS "proposedAt"`;

const OPEN = `SELECT ${COLUMNS} FROM topup_policy_proposal
              WHERE merchant_id = $1 AND environment = $2 AND state = 'proposed'`;

/** The proposal that awaits a decision, or null. */
export async function findOpenProposal({ merchantId, environment }: Scope): Promise<TopupPolicyProposal | null> {
  return (await query<TopupPolicyProposal>(OPEN, merchantId, environment))[0] ?? null;
}

function stored({ overpayment, underpayment, latePayment }: TopupPolicies) {
  return { overpayment, underpayment, late_payment: latePayment };
}

/** Stores a proposal of the acting member. `topup_policy_proposal_one_proposed` refuses a second open one. */
export async function insertTopupPolicyProposal(scope: Scope, proposal: TopupPolicyProposal, act: Act): Promise<void> {
  const { merchantId, environment } = scope;
  const { id, digest, proposedById, proposedAt } = proposal;
  const [replaced, wanted] = [stored(proposal.replaced), stored(proposal.wanted)];
  await inTransaction(async (transaction) => {
    await transaction.query(
      `INSERT INTO topup_policy_proposal (merchant_id, id, environment, replaced, wanted, digest, state, proposed_by_id,
                                          proposed_at)
       VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6, 'proposed', $7, $8::timestamptz)`,
      merchantId,
      id,
      environment,
      JSON.stringify(replaced),
      JSON.stringify(wanted),
      digest,
      proposedById,
      proposedAt,
    );
    const change = { merchantId, environment, action: "topup_policies.propose", objectId: id };
    await recordChange(transaction, { ...change, before: replaced, after: wanted }, act);
  });
}

/**
 * Who may decide, asked in the write that does: an active member with one of the roles in live, and to confirm, not the
 * proposer and with authority that is older than the proposal.
 */
const DECIDE = `
UPDATE topup_policy_proposal p
SET state = $4, decided_by_id = $5, decided_at = greatest(p.proposed_at, $6::timestamptz)
WHERE p.merchant_id = $1 AND p.environment = $2 AND p.id = $3 AND p.state = 'proposed'
  AND ($4 = 'rejected' OR p.proposed_by_id <> $5)
  AND EXISTS (SELECT FROM member m WHERE m.merchant_id = p.merchant_id AND m.id = $5 AND m.disabled_at IS NULL
              AND m.roles && $7::text[] AND ($4 = 'rejected' OR p.proposed_at >= m.authority_live_from))
RETURNING id`;

export interface TopupPolicyDecision {
  readonly id: string;
  readonly verdict: "confirmed" | "rejected";
  /** Roles of which the deciding member must have one. */
  readonly roles: readonly string[];
  /** Called with what would take effect, and the policies as they are, while both are locked; throws to stop. */
  readonly check: (proposal: TopupPolicyProposal, present: TopupPolicies) => void;
}

/**
 * Puts the proposed policies into effect for new top-ups, or rejects them for good. Returns false if the proposal is not
 * open, or the acting member may not decide on it.
 */
export async function decideTopupPolicies(scope: Scope, decision: TopupPolicyDecision, act: Act): Promise<boolean> {
  const { merchantId, environment } = scope;
  const { id, verdict, roles } = decision;
  return inTransaction(async (transaction) => {
    const proposal = await lockProposal(transaction, scope, id);
    const present = proposal && (await lockTerms(transaction, scope));
    if (!proposal || !present) return false;
    if (verdict === "confirmed") decision.check(proposal, present);
    const values = [merchantId, environment, id, verdict, act.actor.id, act.at, roles];
    if ((await transaction.query(DECIDE, ...values)).length === 0) return false;
    const action = verdict === "confirmed" ? "topup_policies.confirm" : "topup_policies.reject";
    const [before, after] = [stored(proposal.replaced), stored(proposal.wanted)];
    const change = { merchantId, environment, action, objectId: id, before };
    await recordChange(transaction, { ...change, after: verdict === "confirmed" ? after : {} }, act);
    if (verdict === "confirmed") await changeTermsWithin(transaction, scope, present, proposal.wanted, act);
    return true;
  });
}

async function lockProposal(
  transaction: Transaction,
  { merchantId, environment }: Scope,
  id: string,
): Promise<TopupPolicyProposal | null> {
  const sql = `${OPEN} AND id = $3 FOR UPDATE`;
  return (await transaction.query<TopupPolicyProposal>(sql, merchantId, environment, id))[0] ?? null;
}
