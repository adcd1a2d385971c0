// The comparable digests of accounts whose payouts have another digest: of the number as typed, or under an older key.
import { queryAcrossMerchants } from "./client";
import { payoutIntents } from "./intents/stores";

/** A place among all payouts, in the order of merchant and id. */
export interface PayoutPlace {
  readonly merchantId: string;
  readonly id: string;
}

/** Up to `count` payouts after the place that have not come to nothing and are found by no comparable digest under the key yet. */
export async function findUnindexedAcrossMerchants(keyId: string, after: PayoutPlace, count: number) {
  const rows = await queryAcrossMerchants<{ merchant_id: string; id: string }>(
    `SELECT p.merchant_id, p.id FROM payout_intent p
     WHERE (p.merchant_id, p.id) > ($1, $2) AND p.status NOT IN ('cancelled', 'failed')
       AND p.account_digest NOT LIKE $4 || '.%.3'
       AND NOT EXISTS (SELECT FROM payout_account a
                       WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id AND a.digest LIKE $4 || '.%.3')
     ORDER BY p.merchant_id, p.id LIMIT $3`,
    after.merchantId,
    after.id,
    count,
    keyId,
  );
  const found = await Promise.all(rows.map((row) => payoutIntents.findOfMerchant(row.merchant_id, row.id)));
  return found.flatMap((intent) => intent ?? []);
}

/** Stores the comparable digests of payouts, in place of those under an older key. */
export async function storeAccountsAcrossMerchants(accounts: readonly (PayoutPlace & { readonly digest: string })[]) {
  await queryAcrossMerchants(
    `INSERT INTO payout_account (merchant_id, payout_id, digest)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) 
     ON CONFLICT (merchant_id, payout_id) DO UPDATE SET digest = excluded.digest`,
    accounts.map(({ merchantId }) => merchantId),
    accounts.map(({ id }) => id),
    accounts.map(({ digest }) => digest),
  );
}
