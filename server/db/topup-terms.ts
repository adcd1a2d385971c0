// The rows of merchants' top-up terms: read, and changed with an audit entry.
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import type { TopupTerms } from "@/server/domain/topup-terms";
import { type Act, recordChange } from "./audit/record";
import { inTransaction } from "./client";
import type { Transaction } from "./transaction";

/** A row of `topup_terms` as the domain's object, in SQL. */
export const TOPUP_TERMS = `jsonb_build_object('spreadBasisPoints', spread_basis_points, 'feeMode', fee_mode,
  'overpayment', overpayment, 'underpayment', underpayment, 'latePayment', late_payment)`;

/** Gives a new merchant the terms that the schema begins with, in both environments. */
export async function insertTopupTermsWithin(transaction: Transaction, merchantId: string): Promise<void> {
  await transaction.query(
    "INSERT INTO topup_terms (merchant_id, environment) SELECT $1, unnest($2::text[])",
    merchantId,
    ENVIRONMENTS,
  );
}

function shown(terms: TopupTerms) {
  return {
    spread_basis_points: terms.spreadBasisPoints,
    fee_mode: terms.feeMode,
    overpayment: terms.overpayment,
    underpayment: terms.underpayment,
    late_payment: terms.latePayment,
  };
}

/** Reads the terms, which nobody else changes before the transaction ends; null without such a merchant. */
export async function lockTerms(
  transaction: Transaction,
  { merchantId, environment }: Scope,
): Promise<TopupTerms | null> {
  const [row] = await transaction.query<{ terms: TopupTerms }>(
    `SELECT ${TOPUP_TERMS} AS terms FROM topup_terms WHERE merchant_id = $1 AND environment = $2 FOR UPDATE`,
    merchantId,
    environment,
  );
  return row?.terms ?? null;
}

/** Changes terms that are locked, with an audit entry where that changes anything; returns them as they then are. */
export async function changeTermsWithin(
  transaction: Transaction,
  { merchantId, environment }: Scope,
  present: TopupTerms,
  changes: Partial<TopupTerms>,
  act: Act,
): Promise<TopupTerms> {
  const terms = { ...present, ...changes };
  const [before, after] = [shown(present), shown(terms)];
  if (JSON.stringify(before) === JSON.stringify(after)) return terms;
  await transaction.query(
    `UPDATE topup_terms
     SET spread_basis_points = $3, fee_mode = $4, overpayment = $5, underpayment = $6, late_payment = $7
     WHERE merchant_id = $1 AND environment = $2`,
    merchantId,
    environment,
    terms.spreadBasisPoints,
    terms.feeMode,
    terms.overpayment,
    terms.underpayment,
    terms.latePayment,
  );
  const action = "merchant.set_topup_terms";
  await recordChange(transaction, { merchantId, environment, action, objectId: merchantId, before, after }, act);
  return terms;
}

/**
 * Changes the terms of new top-ups as `decide` says, with an audit entry where that changes anything, and gives them as
 * they then are; null without such a merchant. What `decide` throws undoes everything.
 */
export async function updateTopupTerms(
  scope: Scope,
  decide: (present: TopupTerms) => Partial<TopupTerms>,
  act: Act,
): Promise<TopupTerms | null> {
  return inTransaction(async (transaction) => {
    const present = await lockTerms(transaction, scope);
    return present && changeTermsWithin(transaction, scope, present, decide(present), act);
  });
}
