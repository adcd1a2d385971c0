// The rows of refunds of money in suspense: proposed by one member, decided by another, each with its audit entry.
import type { Environment, Scope } from "@/server/domain/scope";
import type { RefundOrder, RefundState } from "@/server/domain/suspense-refund";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import { claimStatement } from "./intents/claim";
import type { Transaction } from "./transaction";

export interface StoredRefund extends RefundOrder {
  /** Keyed, over the proposal. */
  readonly digest: string;
  readonly state: RefundState;
  /** Members. */
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly endedAt: Date | null;
}

interface Row {
  merchant_id: string;
  id: string;
  environment: Environment;
  exception_id: string;
  fact: string;
  ordinal: number;
  payment_id: string;
  payment_reference: string;
  provider_reference: string | null;
  receipt_id: string | null;
  provider: string;
  reference: string;
  amount: string;
  currency: string;
  reason: string;
  digest: string;
  state: RefundState;
  proposed_by_id: string;
  proposed_at: Date;
  decided_by_id: string | null;
  decided_at: Date | null;
  ended_at: Date | null;
}

const COLUMNS = `merchant_id, id, environment, exception_id, fact, ordinal, payment_id, payment_reference,
  provider_reference, receipt_id, provider, reference, amount::text, currency, reason, digest, state, proposed_by_id,
  proposed_at, decided_by_id, decided_at, ended_at`;

function fromRow(row: Row): StoredRefund {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    exceptionId: row.exception_id,
    fact: row.fact,
    ordinal: row.ordinal,
    paymentId: row.payment_id,
    paymentReference: row.payment_reference,
    providerReference: row.provider_reference,
    receiptId: row.receipt_id,
    provider: row.provider,
    reference: row.reference,
    amount: BigInt(row.amount),
    currency: row.currency,
    reason: row.reason,
    digest: row.digest,
    state: row.state,
    proposedBy: row.proposed_by_id,
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by_id,
    decidedAt: row.decided_at,
    endedAt: row.ended_at,
  };
}

/** The facts of a refund that the audit log records, apart from its reason. */
function auditFacts({ exceptionId, fact, paymentId, provider, reference, amount, currency, state }: StoredRefund) {
  return {
    exception_id: exceptionId,
    fact,
    payment_id: paymentId,
    provider,
    reference,
    amount: amount.toString(),
    currency,
    state,
  };
}

type NewRefund = RefundOrder & { readonly digest: string };

/**
 * Stores a proposal. The rule `suspense_refund_one_per_fact` refuses it while another refund of the fact is open or has settled,
 * `suspense_refund_exception_is_open` once its exception is resolved.
 */
export function insertRefund(proposal: NewRefund, memberId: string, act: Act): Promise<StoredRefund> {
  const { merchantId, environment, reason } = proposal;
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<Row>(
      `INSERT INTO suspense_refund (merchant_id, id, environment, exception_id, fact, ordinal, payment_id,
                                    payment_reference, provider_reference, receipt_id, provider, reference, amount,
                                    currency, reason, digest, state, proposed_by_id, proposed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::numeric, $14, $15, $16, 'proposed', $17,
               $18::timestamptz)
       RETURNING ${COLUMNS}`,
      merchantId,
      proposal.id,
      environment,
      proposal.exceptionId,
      proposal.fact,
      proposal.ordinal,
      proposal.paymentId,
      proposal.paymentReference,
      proposal.providerReference,
      proposal.receiptId,
      proposal.provider,
      proposal.reference,
      proposal.amount.toString(),
      proposal.currency,
      reason,
      proposal.digest,
      memberId,
      act.at,
    );
    const stored = fromRow(row as Row);
    const change = { merchantId, environment, action: "suspense_refund.propose", objectId: stored.id };
    await recordChange(transaction, { ...change, before: null, after: { ...auditFacts(stored), reason } }, act);
    return stored;
  });
}

const VERBS = { confirmed: "confirm", rejected: "reject" } as const;

/**
 * Decides on a proposal; null when it is decided already. A confirmation is refused by the rules of the database: two people
 * who may, and an open exception.
 */
export function decideRefundRow(
  refund: StoredRefund,
  state: keyof typeof VERBS,
  memberId: string,
  act: Act,
): Promise<StoredRefund | null> {
  // Clocks of two machines may differ: nothing is decided before it was proposed.
  const set = `decided_by_id = $5, decided_at = greatest(proposed_at, $6::timestamptz),
    due_at = CASE WHEN $4 = 'confirmed' THEN date_trunc('milliseconds', now()) END`;
  return inTransaction((transaction) =>
    move(
      transaction,
      refund,
      { from: "proposed", to: state, verb: VERBS[state], set, values: [memberId, act.at] },
      act,
    ),
  );
}

const ENDS = { settled: "settle", failed: "fail", returned: "return" } as const;

/** How two people ended a refund: the calls that had been made about it, and their evidence. */
export interface EndByHand {
  readonly calls: number;
  readonly evidence: string;
}

/**
 * Ends a refund in the caller's transaction, and sets when its provider is asked next, null for never; null when it has ended already, or has not settled where it returns. An end by hand
 * is refused by `manual_end_is_confirmed` without its confirmed resolution, by `manual_refund_end_is_of_others` for the person who
 * proposed the refund, and by `manual_refund_end_is_certain` while a call may be in flight or once something happened since.
 */
export function endRefundWithin(
  transaction: Transaction,
  refund: StoredRefund,
  state: keyof typeof ENDS,
  act: Act,
  { byHand = null, dueAt = null }: { readonly byHand?: EndByHand | null; readonly dueAt?: Date | null } = {},
): Promise<StoredRefund | null> {
  const from = state === "returned" ? "settled" : "confirmed";
  const set = "due_at = $6::timestamptz, ended_at = greatest(decided_at, ended_at, $5::timestamptz)";
  const verb = byHand ? `resolved_${state}` : ENDS[state];
  return move(transaction, refund, { from, to: state, verb, set, values: [act.at, dueAt], byHand }, act);
}

interface Move {
  readonly from: RefundState;
  readonly to: RefundState;
  readonly verb: string;
  /** Assignments, always a constant of this file; their parameters begin at $5. */
  readonly set: string;
  readonly values: readonly unknown[];
  readonly byHand?: EndByHand | null;
}

async function move(
  transaction: Transaction,
  refund: StoredRefund,
  { from, to, verb, set, values, byHand }: Move,
  act: Act,
): Promise<StoredRefund | null> {
  const { merchantId, environment, id: objectId } = refund;
  const [row] = await transaction.query<Row>(
    `UPDATE suspense_refund SET state = $4, ${set}
     WHERE merchant_id = $1 AND id = $2 AND state = $3 RETURNING ${COLUMNS}`,
    merchantId,
    objectId,
    from,
    to,
    ...values,
  );
  if (!row) return null;
  const moved = fromRow(row);
  const change = { merchantId, environment, action: `suspense_refund.${verb}`, objectId };
  const before = { ...auditFacts(refund), ...(byHand && { revision: byHand.calls }) };
  const reason = byHand ? { reason: byHand.evidence } : {};
  await recordChange(transaction, { ...change, ...reason, before, after: auditFacts(moved) }, act);
  return moved;
}

/** The refund of an id in the scope, or null. */
export async function findRefund({ merchantId, environment }: Scope, id: string): Promise<StoredRefund | null> {
  const refund = await findRefundOfMerchant(merchantId, id);
  return refund?.environment === environment ? refund : null;
}

/** The merchant's refund of an id, in either environment, or null. */
export async function findRefundOfMerchant(merchantId: string, id: string): Promise<StoredRefund | null> {
  const [row] = await query<Row>(
    `SELECT ${COLUMNS} FROM suspense_refund WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    id,
  );
  return row ? fromRow(row) : null;
}

/** The merchant's refund that providers can know under the reference, or null. */
export async function findDispatchedRefund(merchantId: string, reference: string): Promise<StoredRefund | null> {
  const [row] = await query<Row>(
    `SELECT ${COLUMNS} FROM suspense_refund WHERE merchant_id = $1 AND reference = $2 AND state NOT IN ('proposed', 'rejected')`,
    merchantId,
    reference,
  );
  return row ? fromRow(row) : null;
}

/** The scope's refunds of those facts, by fact, the newest last. */
export async function listRefundsOf(
  scope: Scope,
  facts: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRefund[]>> {
  const found = new Map<string, StoredRefund[]>();
  for (const refund of await listRefunds(scope, facts, []))
    found.set(refund.fact, [...(found.get(refund.fact) ?? []), refund]);
  return found;
}

/** The scope's refunds of those facts or with those ids, the oldest of a fact first. */
export async function listRefunds(
  { merchantId, environment }: Scope,
  facts: readonly string[],
  ids: readonly string[],
): Promise<StoredRefund[]> {
  const rows = await query<Row>(
    `SELECT ${COLUMNS} FROM suspense_refund
     WHERE merchant_id = $1 AND environment = $2 AND (fact = ANY($3::text[]) OR id = ANY($4::text[]))
     ORDER BY fact, ordinal`,
    merchantId,
    environment,
    facts,
    ids,
  );
  return rows.map(fromRow);
}

/** A due refund, and what time it was for its merchant when it was taken. */
export interface RefundClaim {
  readonly refund: StoredRefund;
  readonly at: Date;
}

const CLAIM = claimStatement("suspense_refund", COLUMNS, { awaitsPayers: false });

/** Takes up to `count` due refunds for `leaseMs`: they fall due again then, should their worker die. */
export async function claimDueRefundsAcrossMerchants(count: number, leaseMs: number): Promise<RefundClaim[]> {
  const rows = await queryAcrossMerchants<Row & { at_ms: number }>(CLAIM, count, leaseMs, "{}", count);
  return rows.map((row) => ({ refund: fromRow(row), at: new Date(row.at_ms) }));
}

/** Sets when a confirmed or settled refund is due next, null for a settled one for never; changes no row that has moved on. */
export async function postponeRefund({ merchantId, id, state }: StoredRefund, dueAt: Date | null): Promise<void> {
  await query(
    `UPDATE suspense_refund SET due_at = $3::timestamptz
     WHERE merchant_id = $1 AND id = $2 AND state = $4 AND state IN ('confirmed', 'settled')`,
    merchantId,
    id,
    dueAt,
    state,
  );
}
