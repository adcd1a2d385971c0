// The accounts at providers that open intents were sent to.
import { queryAcrossMerchants } from "./client";

export interface OpenAccount {
  readonly provider: string;
  readonly account: string;
  /** Open intents with a call to it. */
  readonly count: number;
}

const TABLES = ["payment_intent", "payout_intent", "topup_intent"] as const;

/** Returns every account that a call about an open intent went to and may have reached. */
export async function listOpenAccountsAcrossMerchants(): Promise<OpenAccount[]> {
  const ofTable = (table: string) => `
    SELECT a.provider, a.provider_account AS account, i.id
    FROM ${table} i JOIN provider_attempt a ON a.merchant_id = i.merchant_id AND a.intent_id = i.id
    WHERE i.due_at IS NOT NULL AND a.provider_account IS NOT NULL
      AND coalesce(a.outcome, '') NOT IN ('never_accepted', 'not_sent')`;
  return queryAcrossMerchants<OpenAccount>(
    `SELECT provider, account, count(DISTINCT id)::int AS count FROM (${TABLES.map(ofTable).join(" UNION ALL ")}) sent
     GROUP BY provider, account ORDER BY provider, account`,
  );
}
