// What earlier payouts say about payouts that await approval: whether their recipient was ever paid, and repeated sums.
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

export interface PayoutWarningRow {
  readonly payoutId: string;
  /** No other payout to this account, bank and holder has ever succeeded. */
  readonly isFirstTimeRecipient: boolean;
  /** The latest other payout of the same sum to the same account; both null without one. */
  readonly repeatedId: string | null;
  readonly repeatedAt: Date | null;
}

/** Digests of the payout's account: a rotation of keys adds a second one. */
const OWN_DIGESTS = `
  SELECT array_append(ARRAY(SELECT a.digest FROM payout_account a
                            WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id), p.account_digest) AS digests`;

/** `q` is another payout of the scope to the same bank. */
const OTHER = `q.merchant_id = p.merchant_id AND q.environment = p.environment AND q.id <> p.id
  AND q.recipient_bank_code = p.recipient_bank_code`;

const PAID = `${OTHER} AND q.recipient_holder_name = p.recipient_holder_name AND q.status = 'succeeded'`;

const SAME_SUM = `${OTHER} AND q.currency = p.currency AND q.amount = p.amount
  AND q.status IN ('requires_approval', 'processing', 'succeeded')
  AND q.created_at BETWEEN p.created_at - $4::interval AND p.created_at + $4::interval`;

/** For those of the payouts that await approval; a repetition lies within the number of days before or after. */
export function findPayoutWarnings(
  { merchantId, environment }: Scope,
  payoutIds: readonly string[],
  days: number,
): Promise<PayoutWarningRow[]> {
  return query<PayoutWarningRow>(
    `SELECT p.id AS "payoutId", repeated.id AS "repeatedId", repeated.created_at AS "repeatedAt", NOT EXISTS (
       SELECT FROM payout_intent q WHERE ${PAID} AND q.account_digest = ANY(own.digests)
       UNION ALL
       SELECT FROM payout_account a JOIN payout_intent q ON q.merchant_id = a.merchant_id AND q.id = a.payout_id
       WHERE a.merchant_id = p.merchant_id AND a.digest = ANY(own.digests) AND ${PAID}
     ) AS "isFirstTimeRecipient"
     FROM payout_intent p
     CROSS JOIN LATERAL (${OWN_DIGESTS}) own
     LEFT JOIN LATERAL (
       SELECT q.id, q.created_at FROM payout_intent q
       WHERE ${SAME_SUM} AND q.account_digest = ANY(own.digests)
       ORDER BY q.created_at DESC LIMIT 1
     ) repeated ON true
     WHERE p.merchant_id = $1 AND p.environment = $2 AND p.id = ANY($3::text[]) AND p.status = 'requires_approval'`,
    merchantId,
    environment,
    payoutIds,
    `${days} days`,
  );
}
