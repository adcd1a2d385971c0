// What is derived from audit chains behind the commits, such as the figures: how far it is behind each of them.
import { queryAcrossMerchants } from "../client";

/** The table with the place up to which it goes, by merchant. */
type MarkTable = "figure_mark" | "search_mark";

/** Links of a merchant's audit chain that are not worked on yet. */
export interface ChainStretch {
  readonly merchantId: string;
  /** The mark; 0 before the first. */
  readonly after: bigint;
  readonly to: bigint;
}

/** What is above the marks, at most `links` links of every merchant. */
export async function listStretchesAcrossMerchants(marks: MarkTable, links: number): Promise<ChainStretch[]> {
  const rows = await queryAcrossMerchants<{ merchant_id: string; after: bigint; to: bigint }>(
    `SELECT c.merchant_id, coalesce(m.last_sequence, 0) AS after,
            least(c.last_sequence, coalesce(m.last_sequence, 0) + $1::bigint) AS to
     FROM audit_chain c LEFT JOIN ${marks} m ON m.merchant_id = c.merchant_id
     WHERE c.last_sequence > coalesce(m.last_sequence, 0)
     ORDER BY c.merchant_id`,
    links,
  );
  return rows.map(({ merchant_id: merchantId, after, to }) => ({ merchantId, after, to }));
}
