// The versions of approval policies: read, proposed by one member, decided by another, each with its audit entry.
import { type ApprovalPolicy, FIRST_POLICY, FIRST_VERSION, type PolicyState } from "@/server/domain/approval-policy";
import { type PolicyDocument, readPolicy, writePolicy } from "@/server/domain/approval-policy-document";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Transaction } from "./transaction";

export interface PolicyVersion {
  readonly version: number;
  readonly policy: ApprovalPolicy;
  /** Keyed, over the proposal; null for the first version, and where a release without digests stored it. */
  readonly digest: string | null;
  readonly state: PolicyState;
  /** `operator` for the first version, which comes with the merchant. */
  readonly proposedBy: { readonly type: "member" | "operator"; readonly id: string };
  readonly proposedAt: Date;
  /** The member who put it into effect or rejected it. */
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

interface Row {
  version: number;
  rules: PolicyDocument["rules"];
  default_approvals: number;
  digest: string | null;
  state: PolicyState;
  proposed_by_type: "member" | "operator";
  proposed_by_id: string;
  proposed_at: Date;
  decided_by_id: string | null;
  decided_at: Date | null;
}

const COLUMNS =
  "version, rules, default_approvals, digest, state, proposed_by_type, proposed_by_id, proposed_at, decided_by_id, decided_at";

function fromRow(row: Row): PolicyVersion {
  return {
    version: row.version,
    policy: readPolicy({ default_approvals: row.default_approvals, rules: row.rules }),
    digest: row.digest,
    state: row.state,
    proposedBy: { type: row.proposed_by_type, id: row.proposed_by_id },
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by_id,
    decidedAt: row.decided_at,
  };
}

const CURRENT = `SELECT ${COLUMNS} FROM approval_policy
                 WHERE merchant_id = $1 AND environment = $2 AND state IN ('active', 'proposed') ORDER BY version`;

/** What holds and what is proposed, at most one of each; nothing without such a merchant. */
export async function findCurrentPolicies({ merchantId, environment }: Scope): Promise<PolicyVersion[]> {
  return (await query<Row>(CURRENT, merchantId, environment)).map(fromRow);
}

/** A new merchant's policies, in effect at once: without one it could not pay out. The merchant's audit entry tells them. */
export async function insertFirstPolicies(
  transaction: Transaction,
  merchantId: string,
  { actor, at }: Act,
): Promise<void> {
  const { rules, default_approvals: defaultApprovals } = writePolicy(FIRST_POLICY);
  await transaction.query(
    `INSERT INTO approval_policy (merchant_id, environment, version, rules, default_approvals, state, proposed_by_type,
                                  proposed_by_id, proposed_at, decided_at)
     SELECT $1, environment, $3, $4::jsonb, $5, 'active', $6, $7, $8::timestamptz, $8::timestamptz
     FROM unnest($2::text[]) AS environment`,
    merchantId,
    ENVIRONMENTS,
    FIRST_VERSION,
    JSON.stringify(rules),
    defaultApprovals,
    actor.type,
    actor.id,
    at,
  );
}

/** The facts of a version that the audit log records. */
function auditFacts({ version, policy, state }: PolicyVersion) {
  return { version, state, ...writePolicy(policy) };
}

async function recordPolicyChange(
  transaction: Transaction,
  scope: Scope,
  verb: "propose" | "confirm" | "reject",
  before: PolicyVersion | null,
  after: PolicyVersion,
  act: Act,
): Promise<void> {
  const change = { ...scope, action: `approval_policy.${verb}`, objectId: `approval_policy:${after.version}` };
  await recordChange(transaction, { ...change, before: before && auditFacts(before), after: auditFacts(after) }, act);
}

/**
 * Stores the next version as a member's proposal, with the digest of its number. A second one that is open at once is
 * refused by `approval_policy_one_proposed`, and one of the same moment by `approval_policy_pkey`.
 */
export async function insertProposal(
  scope: Scope,
  policy: ApprovalPolicy,
  digestOf: (version: number) => string,
  act: Act,
): Promise<PolicyVersion> {
  const { merchantId, environment } = scope;
  const { rules, default_approvals: defaultApprovals } = writePolicy(policy);
  return inTransaction(async (transaction) => {
    const version = await nextVersion(transaction, scope);
    const [row] = await transaction.query<Row>(
      `INSERT INTO approval_policy (merchant_id, environment, version, rules, default_approvals, digest, state,
                                    proposed_by_type, proposed_by_id, proposed_at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, 'proposed', $7, $8, $9::timestamptz)
       RETURNING ${COLUMNS}`,
      merchantId,
      environment,
      version,
      JSON.stringify(rules),
      defaultApprovals,
      digestOf(version),
      act.actor.type,
      act.actor.id,
      act.at,
    );
    const proposed = fromRow(row as Row);
    const [active] = await lockCurrent(transaction, scope);
    await recordPolicyChange(transaction, scope, "propose", active ?? null, proposed, act);
    return proposed;
  });
}

async function nextVersion(transaction: Transaction, scope: Scope): Promise<number> {
  const [row] = await transaction.query<Pick<Row, "version">>(
    "SELECT coalesce(max(version), 0) + 1 AS version FROM approval_policy WHERE merchant_id = $1 AND environment = $2",
    scope.merchantId,
    scope.environment,
  );
  return (row as Pick<Row, "version">).version;
}

async function lockCurrent(transaction: Transaction, scope: Scope): Promise<PolicyVersion[]> {
  const rows = await transaction.query<Row>(`${CURRENT} FOR UPDATE`, scope.merchantId, scope.environment);
  return rows.map(fromRow);
}

/**
 * Who may decide, asked in the write that does: an active member with one of the roles, and to confirm, not who proposed it
 * and with authority that is older than the proposal.
 */
const DECIDE = `
UPDATE approval_policy p
SET state = $4, decided_by_id = $5, decided_at = greatest(p.proposed_at, $6::timestamptz)
WHERE p.merchant_id = $1 AND p.environment = $2 AND p.version = $3 AND p.state = 'proposed'
  AND ($4 = 'rejected' OR p.proposed_by_id <> $5)
  AND EXISTS (SELECT FROM member m WHERE m.merchant_id = p.merchant_id AND m.id = $5 AND m.disabled_at IS NULL
              AND roles_in(m, p.environment) && $7::text[] AND ($4 = 'rejected' OR p.proposed_at >=
                CASE p.environment WHEN 'live' THEN m.authority_live_from ELSE m.authority_test_from END))
RETURNING ${COLUMNS}`;

export interface PolicyDecision {
  readonly version: number;
  readonly verdict: "confirm" | "reject";
  /** Roles of which the deciding member must have one. */
  readonly roles: readonly string[];
  /** Called with what would take effect while it is locked; throws to leave everything as it is. */
  readonly check: (proposal: PolicyVersion, approvers: number) => void;
  /** Roles of those who count as approvers. */
  readonly approverRoles: readonly string[];
}

/**
 * Puts a proposal into effect, in place of the active version, or rejects it. Null when the version is not proposed (any
 * more), or the acting member may not decide on it.
 */
export async function decidePolicy(scope: Scope, decision: PolicyDecision, act: Act): Promise<PolicyVersion | null> {
  const { merchantId, environment } = scope;
  const { version, verdict } = decision;
  return inTransaction(async (transaction) => {
    const current = await lockCurrent(transaction, scope);
    const proposal = current.find((one) => one.version === version && one.state === "proposed");
    const active = current.find(({ state }) => state === "active");
    if (!proposal) return null;
    if (verdict === "confirm") {
      decision.check(proposal, await countActive(transaction, scope, decision.approverRoles));
      await transaction.query(
        `UPDATE approval_policy SET state = 'superseded' WHERE merchant_id = $1 AND environment = $2 AND state = 'active'`,
        merchantId,
        environment,
      );
    }
    const state: PolicyState = verdict === "confirm" ? "active" : "rejected";
    const { actor, at } = act;
    const values = [merchantId, environment, version, state, actor.id, at, decision.roles];
    const [row] = await transaction.query<Row>(DECIDE, ...values);
    if (!row) throw new NotDecided();
    const decided = fromRow(row);
    await recordPolicyChange(
      transaction,
      scope,
      verdict,
      verdict === "confirm" ? (active ?? null) : proposal,
      decided,
      act,
    );
    return decided;
  }).catch((error: unknown) => {
    if (error instanceof NotDecided) return null;
    throw error;
  });
}

/** Rolls back the transaction. */
class NotDecided extends Error {}

async function countActive(
  from: Transaction,
  { merchantId, environment }: Scope,
  roles: readonly string[],
): Promise<number> {
  const [row] = await from.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM member m
     WHERE merchant_id = $1 AND disabled_at IS NULL AND roles_in(m, $2) && $3::text[]`,
    merchantId,
    environment,
    roles,
  );
  return row?.count ?? 0;
}

/** How many active members of the merchant have one of the roles in the environment. */
export function countActiveMembers(scope: Scope, roles: readonly string[]): Promise<number> {
  return countActive({ query }, scope, roles);
}
