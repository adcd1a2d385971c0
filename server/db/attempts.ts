import { query, queryAcrossMerchants } from "./client";
import type { AttemptAnswer, CalledAccount } from "./commit/calls";
import { isRefusedBy } from "./failures";

export interface Attempt {
  readonly id: string;
  /** Counts all calls about the intent, to any provider, from 1. */
  readonly ordinal: number;
  readonly provider: string;
  readonly state: "started" | "answered" | "unknown";
  readonly outcome: string | null;
  /** The provider's own reference in its answer. */
  readonly providerReference: string | null;
  /** The account at the provider that the call used; null if its adapter does not name accounts. */
  readonly account: string | null;
  /** The merchant's account under it; null for the account itself. */
  readonly subAccount: string | null;
  readonly startedAt: Date;
  readonly answeredAt: Date | null;
}

/** Every attempt that was announced for an intent, the first one first. */
export async function listAttempts(merchantId: string, intentId: string): Promise<Attempt[]> {
  const rows = await query<{
    id: string;
    ordinal: number;
    provider: string;
    state: Attempt["state"];
    outcome: string | null;
    provider_reference: string | null;
    provider_account: string | null;
    provider_sub_account: string | null;
    started_at: Date;
    answered_at: Date | null;
  }>(
    `SELECT id, ordinal, provider, state, outcome, provider_reference, provider_account, provider_sub_account,
            started_at, answered_at
     FROM provider_attempt WHERE merchant_id = $1 AND intent_id = $2 ORDER BY ordinal`,
    merchantId,
    intentId,
  );
  return rows.map(
    ({ provider_reference, provider_account, provider_sub_account, started_at, answered_at, ...row }) => ({
      ...row,
      providerReference: provider_reference,
      account: provider_account,
      subAccount: provider_sub_account,
      startedAt: started_at,
      answeredAt: answered_at,
    }),
  );
}

/**
 * A payout may be sent only with its approvals, by people other than its maker, and while no contradiction about it awaits a
 * person, since a provider may have executed it already: asked in the write that permits it. The trigger `payout_is_cleared`
 * refuses a payout that screening holds or refuses.
 */
const PERMITTED = {
  payment_intent: "",
  topup_intent: "",
  payout_intent: `AND i.status = 'processing' AND i.approvals_required <= (
    SELECT count(*) FROM approval a
    WHERE a.merchant_id = i.merchant_id AND a.payout_id = i.id
      AND NOT (i.created_by_type = 'member' AND i.created_by_id = a.member_id))
    AND NOT EXISTS (
      SELECT FROM exception x
      WHERE x.merchant_id = i.merchant_id AND x.object_id = i.id AND x.kind = 'contradiction' AND x.resolved_at IS NULL)`,
};

/**
 * Announces a call to the intent's provider, before it is made. False when the intent has moved on, another worker has
 * announced the same call, a provider is known to have accepted the intent, or a payout lacks an approval, is contradicted or
 * is paused: then the caller must not make the call. The lock keeps the intent from going to another provider at the same moment.
 */
export async function announceAttempt(
  intent: { merchantId: string; id: string; dispatchReference: string; provider: string; revision: number },
  table: "payment_intent" | "payout_intent" | "topup_intent",
  attempt: { id: string; ordinal: number } & CalledAccount,
  at: Date,
): Promise<boolean> {
  const announced = query(
    `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, provider_account,
                                   provider_sub_account, reference, state, started_at)
     SELECT i.merchant_id, $4, i.environment, i.id, $5, $6, $9, $10, $8, 'started', $7::timestamptz
     FROM ${table} i WHERE i.merchant_id = $1 AND i.id = $2 AND i.revision = $3 ${PERMITTED[table]}
       AND NOT EXISTS (
         SELECT FROM provider_attempt a
         WHERE a.merchant_id = $1 AND a.intent_id = $2 AND shows_acceptance(a.outcome))
     FOR SHARE OF i
     ON CONFLICT DO NOTHING RETURNING id`,
    intent.merchantId,
    intent.id,
    intent.revision,
    attempt.id,
    attempt.ordinal,
    intent.provider,
    at,
    intent.dispatchReference,
    attempt.account ?? null,
    attempt.subAccount ?? null,
  );
  try {
    return (await announced).length === 1;
  } catch (error) {
    if (isRefusedBy(error, "dispatch_is_running") || isRefusedBy(error, "payout_is_cleared")) return false;
    throw error;
  }
}

/**
 * Announces a call that sends a refund, before it is made. False when the refund is no longer confirmed, another worker has
 * announced the same call, the provider is known to have accepted it, refunds of the same money are contradicted, or dispatch is
 * paused: then the caller must not make the call.
 */
export async function announceRefund(
  refund: { readonly merchantId: string; readonly id: string },
  attempt: { id: string; ordinal: number } & CalledAccount,
  at: Date,
): Promise<boolean> {
  const announced = query(
    `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, provider_account,
                                   provider_sub_account, reference, state, started_at)
     SELECT r.merchant_id, $3, r.environment, r.id, $4, r.provider, $5, $7, r.reference, 'started', $6::timestamptz
     FROM suspense_refund r WHERE r.merchant_id = $1 AND r.id = $2 AND r.state = 'confirmed'
       AND NOT EXISTS (
         SELECT FROM provider_attempt a
         WHERE a.merchant_id = $1 AND a.intent_id = $2 AND shows_acceptance(a.outcome))
       AND NOT EXISTS (
         SELECT FROM suspense_refund o
         JOIN exception x ON x.merchant_id = o.merchant_id AND x.object_id = o.id
         WHERE o.merchant_id = $1 AND o.environment = r.environment AND o.fact = r.fact
           AND x.kind = 'contradiction' AND x.resolved_at IS NULL)
     FOR SHARE OF r
     ON CONFLICT DO NOTHING RETURNING id`,
    refund.merchantId,
    refund.id,
    attempt.id,
    attempt.ordinal,
    attempt.account ?? null,
    at,
    attempt.subAccount ?? null,
  );
  try {
    return (await announced).length === 1;
  } catch (error) {
    if (isRefusedBy(error, "dispatch_is_running")) return false;
    throw error;
  }
}

/** Records what a call brought when the intent itself did not change by it. After the first answer only acceptance counts. */
export async function answerAttempt(merchantId: string, answer: AttemptAnswer, at: Date): Promise<void> {
  await query(
    `UPDATE provider_attempt
     SET state = $3, outcome = $4, answered_at = $5::timestamptz,
         provider_reference = coalesce($6, provider_reference), provider_code = coalesce($7, provider_code)
     WHERE merchant_id = $1 AND id = $2
       AND (state = 'started' OR shows_acceptance($4) AND NOT shows_acceptance(outcome))`,
    merchantId,
    answer.id,
    answer.state,
    answer.outcome,
    at,
    answer.providerReference,
    answer.providerCode,
  );
}

/** What a provider reported about an intent outside of any call. */
export interface Report {
  readonly provider: string;
  /** The account at the provider; null if its adapter does not name accounts. */
  readonly account: string | null;
  /** The merchant's account under it. */
  readonly subAccount: string | null;
  readonly outcome: string;
  readonly providerReference: string | null;
  readonly providerCode: string | null;
}

/**
 * Records a report of acceptance on the last call to its provider. An open intent without any such call, as after a
 * restore of the database, gets the attempt `attemptId` instead: the report proves that a call was made. A payout that
 * awaits approval gets none. Returns false when nothing was recorded. Fails on a unique key when a call is announced at the
 * same moment; a retry then succeeds.
 */
export async function recordAcceptance(
  intent: { readonly merchantId: string; readonly id: string },
  table: "payment_intent" | "payout_intent" | "topup_intent",
  attemptId: string,
  report: Report,
  at: Date,
): Promise<boolean> {
  const [row] = await query<{ is_recorded: boolean }>(
    `WITH known AS (
       SELECT id, provider, ordinal FROM provider_attempt WHERE merchant_id = $1 AND intent_id = $2
     ),
     raised AS (
       UPDATE provider_attempt a
       SET state = 'answered', outcome = $5, answered_at = $8::timestamptz,
           provider_reference = coalesce($6, a.provider_reference), provider_code = coalesce($7, a.provider_code)
       WHERE a.merchant_id = $1 AND a.id = (SELECT id FROM known WHERE provider = $4 ORDER BY ordinal DESC LIMIT 1)
         AND NOT shows_acceptance(a.outcome)
       RETURNING a.id
     ),
     inserted AS (
       INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, provider_account,
                                     provider_sub_account, reference, state, outcome, provider_reference,
                                     provider_code, started_at, answered_at)
       SELECT i.merchant_id, $3, i.environment, i.id, (SELECT coalesce(max(ordinal), 0) + 1 FROM known), $4, $9, $10,
              coalesce(i.dispatch_reference, i.id), 'answered', $5, $6, $7, $8::timestamptz, $8::timestamptz
       FROM ${table} i
       WHERE i.merchant_id = $1 AND i.id = $2 AND i.due_at IS NOT NULL AND i.status <> 'requires_approval'
         AND NOT EXISTS (SELECT FROM known WHERE provider = $4)
       RETURNING id
     )
     SELECT EXISTS (SELECT FROM raised) OR EXISTS (SELECT FROM inserted) AS is_recorded`,
    intent.merchantId,
    intent.id,
    attemptId,
    report.provider,
    report.outcome,
    report.providerReference,
    report.providerCode,
    at,
    report.account,
    report.subAccount,
  );
  return row?.is_recorded ?? false;
}

/**
 * Returns the merchant of the intent that was sent under this reference to the provider's account, or to the sub-account of it
 * if one is named; null if none was.
 */
export async function findOwnerAcrossMerchants(
  provider: string,
  subAccount: string | null,
  reference: string,
): Promise<string | null> {
  const [row] = await queryAcrossMerchants<{ merchant_id: string }>(
    `SELECT merchant_id FROM provider_attempt
     WHERE provider = $1 AND reference = $2 AND provider_account IS NOT NULL
       AND provider_sub_account IS NOT DISTINCT FROM $3 LIMIT 1`,
    provider,
    reference,
    subAccount,
  );
  return row?.merchant_id ?? null;
}
