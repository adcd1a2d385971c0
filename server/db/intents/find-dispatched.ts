// Reads intents by the reference that providers know. Concurrent reads share one statement.
import type { IntentCore } from "@/server/domain/transition";
import type { Batcher } from "@/server/platform/batcher";
import { query } from "../client";
import { isAttributable } from "../failures";
import { createMerchantBatcher } from "../merchant-batcher";
import { type CoreRow, type RowMapping, selectList } from "./row";

interface DispatchedKey {
  readonly merchantId: string;
  readonly reference: string;
}

/** As many as a worker has callbacks at a time. */
const MAXIMUM_BATCH = 64;

/** Reads one intent, or null, in any environment. An intent without a derived reference has its id as its reference. */
export function createDispatchedFinder<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
): Batcher<DispatchedKey, Intent | null> {
  const select = `SELECT ${selectList(mapping)} FROM ${mapping.table} t WHERE t.merchant_id = sought.merchant_id`;
  const statement = `
    SELECT sought.n::int AS sought_n, found.*
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS sought(merchant_id, reference, n)
    CROSS JOIN LATERAL (
      ${select} AND t.dispatch_reference = sought.reference
      UNION ALL
      ${select} AND t.id = sought.reference AND t.dispatch_reference IS NULL
    ) found`;
  return createMerchantBatcher({
    merchantOf: ({ merchantId }) => merchantId,
    isAttributable,
    maximumSize: MAXIMUM_BATCH,
    async run(all: readonly DispatchedKey[]) {
      const rows = await query<Row & { sought_n: number }>(
        statement,
        all.map(({ merchantId }) => merchantId),
        all.map(({ reference }) => reference),
      );
      const found = all.map((): Intent | null => null);
      for (const row of rows) found[row.sought_n - 1] = mapping.fromRow(row);
      return found;
    },
  });
}
