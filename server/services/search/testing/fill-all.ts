import { query } from "@/server/db/client";
import { linkAuditEntries } from "../../audit/link-entries";
import { fillSearch } from "../fill";

const BEHIND = `
  SELECT FROM audit_pending WHERE merchant_id = $1
  UNION ALL
  SELECT FROM audit_chain c LEFT JOIN search_mark m USING (merchant_id)
  WHERE c.merchant_id = $1 AND c.last_sequence > coalesce(m.last_sequence, 0)`;

/** Links and fills until search finds everything that the merchant has, `batch` links at a time. */
export async function fillAll(merchantId: string, batch?: number): Promise<void> {
  do {
    await linkAuditEntries();
    await fillSearch(batch);
  } while ((await query(BEHIND, merchantId)).length > 0);
}
