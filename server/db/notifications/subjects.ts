// What notifications are about, as it is now: only what still stands and the receiver may see.
import type { ExceptionKind } from "@/server/domain/exceptions";
import type { Scope } from "@/server/domain/scope";
import { query } from "../client";
import { decidable } from "../intents/conditions";
import { IS_FAILING } from "./facts";

export interface WaitingPayout {
  readonly id: string;
  /** In minor units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly createdAt: Date;
  /** When it is cancelled if it is not approved, in the merchant's time. */
  readonly lapsesAt: Date;
}

/** Those of the payouts that the member may still approve. */
export async function findWaitingPayouts(
  { merchantId, environment }: Scope,
  ids: readonly string[],
  memberId: string,
): Promise<WaitingPayout[]> {
  const rows = await query<Omit<WaitingPayout, "amount"> & { amount: string }>(
    `SELECT id, amount::text AS amount, currency, created_at AS "createdAt", due_at AS "lapsesAt" FROM payout_intent
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND ${decidable("$4")}`,
    merchantId,
    environment,
    ids,
    memberId,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

export interface OpenException {
  readonly id: string;
  readonly kind: ExceptionKind;
  readonly subjectId: string;
  readonly openedAt: Date;
}

/** Those of the exceptions that are still open; of NOBODY for exceptions of no merchant. */
export function findOpenExceptions(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<OpenException[]> {
  return query<OpenException>(
    `SELECT id, kind, object_id AS "subjectId", opened_at AS "openedAt" FROM exception
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND resolved_at IS NULL`,
    merchantId,
    environment,
    ids,
  );
}

/** Those of the exceptions that are still open, and that the member owns through a colleague. */
export function findAssignedExceptions(
  { merchantId, environment }: Scope,
  ids: readonly string[],
  memberId: string,
): Promise<(OpenException & { readonly assignedAt: Date })[]> {
  return query(
    `SELECT id, kind, object_id AS "subjectId", opened_at AS "openedAt", assigned_at AS "assignedAt" FROM exception
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND resolved_at IS NULL AND owner_id = $4
       AND assigned_by <> $4`,
    merchantId,
    environment,
    ids,
    memberId,
  );
}

export interface FailingEndpoint {
  readonly id: string;
  readonly url: string;
  readonly failingSince: Date | null;
  readonly isDisabled: boolean;
}

/** Those of the endpoints that still fail. */
export function findFailingEndpoints(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<FailingEndpoint[]> {
  return query<FailingEndpoint>(
    `SELECT id, url, failing_since AS "failingSince", state = 'disabled' AS "isDisabled" FROM webhook_endpoint
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND ${IS_FAILING}`,
    merchantId,
    environment,
    ids,
  );
}

export interface ProposedRefund {
  readonly id: string;
  readonly paymentId: string;
  /** In minor units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly proposedAt: Date;
}

/** Those of the refunds that still await a decision. */
export async function findProposedRefunds(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<ProposedRefund[]> {
  const rows = await query<Omit<ProposedRefund, "amount"> & { amount: string }>(
    `SELECT id, payment_id AS "paymentId", amount::text AS amount, currency, proposed_at AS "proposedAt"
     FROM suspense_refund
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND state = 'proposed'`,
    merchantId,
    environment,
    ids,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

export interface ProposedTerms {
  readonly id: string;
  readonly proposedAt: Date;
}

/** Those of the proposals of top-up policies that still await a decision. */
export function findProposedTerms(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<ProposedTerms[]> {
  return query<ProposedTerms>(
    `SELECT id, proposed_at AS "proposedAt" FROM topup_policy_proposal
     WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[]) AND state = 'proposed'`,
    merchantId,
    environment,
    ids,
  );
}

export interface ProposedPolicy {
  readonly version: string;
  readonly proposedAt: Date;
}

/** Those of the versions that still await a decision. */
export function findProposedPolicies(
  { merchantId, environment }: Scope,
  versions: readonly string[],
): Promise<ProposedPolicy[]> {
  return query<ProposedPolicy>(
    `SELECT version::text AS version, proposed_at AS "proposedAt" FROM approval_policy
     WHERE merchant_id = $1 AND environment = $2 AND version::text = ANY($3::text[]) AND state = 'proposed'`,
    merchantId,
    environment,
    versions,
  );
}
