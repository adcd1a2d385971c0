// Adds up everything of a merchant for tests, as the worker does.
import { query } from "@/server/db/client";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import type { TestMerchant } from "@/server/testing/merchant";
import { foldFigures } from "../fold";

const LEFT = `
  SELECT FROM audit_pending WHERE merchant_id = $1
  UNION ALL
  SELECT FROM audit_chain c LEFT JOIN figure_mark m USING (merchant_id)
  WHERE c.merchant_id = $1 AND c.last_sequence > coalesce(m.last_sequence, 0)`;

/** Links and adds up until the merchant's figures include all finished intents. */
export async function addUp({ merchantId }: Pick<TestMerchant, "merchantId">, batch?: number): Promise<void> {
  while ((await query(LEFT, merchantId)).length > 0) {
    await linkAuditEntries();
    await foldFigures(batch);
  }
}
