// The accounts at providers that open intents and refunds were sent to.
import { queryAcrossMerchants } from "./client";

export interface OpenAccount {
  readonly provider: string;
  readonly account: string;
  /** The merchant's account under it; null for the account itself. */
  readonly subAccount: string | null;
  /** Whose work it is; null where all merchants share the account. */
  readonly merchantId: string | null;
  /** Open intents and refunds with a call to it. */
  readonly count: number;
}

/** A settled refund is due while its return is watched for: that keeps nobody from changing accounts. */
const TABLES = {
  payment_intent: "",
  payout_intent: "",
  topup_intent: "",
  suspense_refund: "AND i.state = 'confirmed'",
};

/**
 * Returns every account that a call about open work went to and may have reached; by merchant where there are sub-accounts,
 * and for the providers that have some now.
 */
export async function listOpenAccountsAcrossMerchants(withSubAccounts: readonly string[]): Promise<OpenAccount[]> {
  const ofTable = ([table, isOpen]: readonly [string, string]) => `
    SELECT a.provider, a.provider_account, a.provider_sub_account, i.id,
           CASE WHEN a.provider_sub_account IS NOT NULL OR a.provider = ANY($1) THEN i.merchant_id END AS owner
    FROM ${table} i JOIN provider_attempt a ON a.merchant_id = i.merchant_id AND a.intent_id = i.id
    WHERE i.due_at IS NOT NULL ${isOpen} AND a.provider_account IS NOT NULL
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')`;
  return queryAcrossMerchants<OpenAccount>(
    `SELECT provider, provider_account AS account, provider_sub_account AS "subAccount", owner AS "merchantId",
            count(DISTINCT id)::int AS count
     FROM (${Object.entries(TABLES).map(ofTable).join(" UNION ALL ")}) sent
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    withSubAccounts,
  );
}
