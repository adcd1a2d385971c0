import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

export interface KnownRecipient {
  /** The account's digest under each key that may have made it. */
  readonly accountDigests: readonly string[];
  readonly bankCode: string;
  readonly holderName: string;
}

/** True when no payout of the scope to this account, bank and holder has ever succeeded. */
export async function isFirstTimeRecipient(scope: Scope, recipient: KnownRecipient): Promise<boolean> {
  const rows = await query(
    `SELECT FROM payout_intent
     WHERE merchant_id = $1 AND environment = $2 AND account_digest = ANY($3::text[]) AND recipient_bank_code = $4
       AND recipient_holder_name = $5 AND status = 'succeeded'
     UNION ALL
     SELECT FROM payout_account a JOIN payout_intent p ON p.merchant_id = a.merchant_id AND p.id = a.payout_id
     WHERE a.merchant_id = $1 AND a.digest = ANY($3::text[]) AND p.environment = $2 AND p.recipient_bank_code = $4
       AND p.recipient_holder_name = $5 AND p.status = 'succeeded'
     LIMIT 1`,
    scope.merchantId,
    scope.environment,
    recipient.accountDigests,
    recipient.bankCode,
    recipient.holderName,
  );
  return rows.length === 0;
}

/** The scope's payouts of that UTC day in the currency, in minor units, without those cancelled or failed. */
export async function payoutTotalOfDay(scope: Scope, currency: string, day: Date): Promise<bigint> {
  const [row] = await query<{ total: string }>(
    "SELECT payout_total_of_day($1, $2, $3, $4::timestamptz)::text AS total",
    scope.merchantId,
    scope.environment,
    currency,
    day,
  );
  return BigInt(row?.total ?? "0");
}
