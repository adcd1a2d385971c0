// Reads intents by id. Concurrent reads share one statement.
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import type { Batcher } from "@/server/platform/batcher";
import { query } from "../client";
import { STATEMENT_WITHIN_MS } from "../connections";
import { isAttributable } from "../failures";
import { createMerchantBatcher } from "../merchant-batcher";
import { type CoreRow, type RowMapping, selectList } from "./row";

/** Whose intent is looked for. */
export interface LookupKey {
  readonly scope: Scope;
  readonly id: string;
}

const MAXIMUM_BATCH = 64;

/**
 * Reads one intent, or null, as it is committed when asked for or later: a batch is made only of what was asked before
 * its statement is sent. While one statement is under way the next one gathers; nobody waits on purpose.
 */
export function createFinder<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
): Batcher<LookupKey, Intent | null> {
  const { table } = mapping;
  const columns = selectList(mapping);
  const one = `SELECT ${columns} FROM ${table} WHERE merchant_id = $1 AND environment = $2 AND id = $3`;
  const many = `
    SELECT sought.n::int AS sought_n, found.*
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS sought(merchant_id, environment, id, n)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} t
      WHERE t.merchant_id = sought.merchant_id AND t.environment = sought.environment AND t.id = sought.id
    ) found`;

  async function run(all: readonly LookupKey[]): Promise<(Intent | null)[]> {
    const [only] = all;
    if (only && all.length === 1) {
      const [row] = await query<Row>(one, only.scope.merchantId, only.scope.environment, only.id);
      return [row ? mapping.fromRow(row) : null];
    }
    const rows = await query<Row & { sought_n: number }>(
      many,
      all.map(({ scope }) => scope.merchantId),
      all.map(({ scope }) => scope.environment),
      all.map(({ id }) => id),
    );
    const found = all.map((): Intent | null => null);
    for (const row of rows) found[row.sought_n - 1] = mapping.fromRow(row);
    return found;
  }

  const merchantOf = ({ scope }: LookupKey) => scope.merchantId;
  return createMerchantBatcher({
    run,
    merchantOf,
    isAttributable,
    maximumSize: MAXIMUM_BATCH,
    settlesWithinMs: STATEMENT_WITHIN_MS,
  });
}
