// Owns reading the record of calls to providers.
import { query } from "./client";
import type { AttemptAnswer } from "./commit/unit";

export interface Attempt {
  readonly id: string;
  /** Counts all calls about the intent, whoever they went to, from 1. */
  readonly ordinal: number;
  readonly provider: string;
  readonly state: "started" | "answered" | "unknown";
  readonly outcome: string | null;
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
    started_at: Date;
    answered_at: Date | null;
  }>(
    `SELECT id, ordinal, provider, state, outcome, started_at, answered_at
     FROM provider_attempt WHERE merchant_id = $1 AND intent_id = $2 ORDER BY ordinal`,
    merchantId,
    intentId,
  );
  return rows.map(({ started_at, answered_at, ...row }) => ({
    ...row,
    startedAt: started_at,
    answeredAt: answered_at,
  }));
}

/** A payout may be sent only with its approvals, by people other than its maker: asked in the write that permits it. */
const PERMITTED = {
  payment_intent: "",
  topup_intent: "",
  payout_intent: `AND i.status = 'processing' AND i.approvals_required <= (
    SELECT count(*) FROM approval a
    WHERE a.merchant_id = i.merchant_id AND a.payout_id = i.id
      AND NOT (i.created_by_type = 'member' AND i.created_by_id = a.member_id))`,
};

/**
 * Announces a call to the intent's provider, before it is made. False when the intent has moved on, another worker has
 * announced the same call, or a payout lacks an approval: then the call is not ours to make. The lock keeps the intent from
 * going to another provider at the same moment.
 */
export async function announceAttempt(
  intent: { merchantId: string; id: string; provider: string; revision: number },
  table: "payment_intent" | "payout_intent" | "topup_intent",
  attempt: { id: string; ordinal: number },
  at: Date,
): Promise<boolean> {
  const rows = await query(
    `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, state, started_at)
     SELECT i.merchant_id, $4, i.environment, i.id, $5, $6, 'started', $7::timestamptz
     FROM ${table} i WHERE i.merchant_id = $1 AND i.id = $2 AND i.revision = $3 ${PERMITTED[table]} FOR SHARE OF i
     ON CONFLICT DO NOTHING RETURNING id`,
    intent.merchantId,
    intent.id,
    intent.revision,
    attempt.id,
    attempt.ordinal,
    intent.provider,
    at,
  );
  return rows.length === 1;
}

/** Records what a call brought when the intent itself did not change by it. */
export async function answerAttempt(merchantId: string, answer: AttemptAnswer, at: Date): Promise<void> {
  await query(
    `UPDATE provider_attempt
     SET state = $3, outcome = $4, answered_at = $5::timestamptz,
         provider_reference = coalesce($6, provider_reference), provider_code = coalesce($7, provider_code)
     WHERE merchant_id = $1 AND id = $2 AND state = 'started'`,
    merchantId,
    answer.id,
    answer.state,
    answer.outcome,
    at,
    answer.providerReference,
    answer.providerCode,
  );
}
