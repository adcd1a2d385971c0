// What must be the same in both cells before a merchant is switched to the new one.
import type { Owner } from "./owner";
import { isOfMerchant, type MovedTable } from "./shape";

/** The number of the merchant's rows by table. */
export async function countRows(
  owner: Owner,
  tables: readonly MovedTable[],
  merchantId: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = tables.map(
    (table) =>
      `SELECT '${table.name}' AS name, count(*)::int AS count FROM ${table.name} t WHERE ${isOfMerchant(table)}`,
  );
  const rows = await owner.query<{ name: string; count: number }>(counts.join(" UNION ALL "), merchantId);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

const WRONG_BALANCES = `
  SELECT environment, currency, kind
  FROM (SELECT environment, currency, kind, balance, last_sequence FROM ledger_account WHERE merchant_id = $1) a
  FULL JOIN (SELECT environment, currency, kind, sum(amount) AS balance, max(sequence) AS last_sequence
             FROM ledger_entry WHERE merchant_id = $1 GROUP BY 1, 2, 3) e USING (environment, currency, kind)
  WHERE a.balance IS NULL OR a.balance <> coalesce(e.balance, 0) OR a.last_sequence <> coalesce(e.last_sequence, 0)`;

/** The accounts of the merchant whose balance or last number is not that of their entries. */
export async function findWrongBalances(owner: Owner, merchantId: string): Promise<string[]> {
  const rows = await owner.query<{ environment: string; currency: string; kind: string }>(WRONG_BALANCES, merchantId);
  return rows.map(({ environment, currency, kind }) => `${environment} ${currency} ${kind}`);
}

/** The end of the merchant's audit chain as text: as it is kept, and its last link. */
export async function readChainEnd(owner: Owner, merchantId: string): Promise<string> {
  const rows = await owner.query<{ chain_end: string }>(
    `SELECT concat_ws(' ', 'kept', last_sequence, last_hash) AS chain_end FROM audit_chain WHERE merchant_id = $1
     UNION ALL
     (SELECT concat_ws(' ', 'linked', sequence, hash) FROM audit_link WHERE merchant_id = $1 ORDER BY sequence DESC LIMIT 1)`,
    merchantId,
  );
  return rows.map(({ chain_end }) => chain_end).join(", ");
}
