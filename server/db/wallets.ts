import { type LedgerTransaction, OPENED_ACCOUNTS } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

export interface WalletBalance {
  readonly currency: string;
  /** Minor units. */
  readonly available: bigint;
  readonly held: bigint;
}

/** Balances of every currency that the merchant has or had, by currency code. */
export async function listBalances(scope: Scope): Promise<WalletBalance[]> {
  const rows = await query<{ currency: string; available: string; held: string }>(
    `SELECT currency, sum(balance) FILTER (WHERE kind = 'available')::text AS available,
            sum(balance) FILTER (WHERE kind = 'held')::text AS held
     FROM ledger_account JOIN merchant_currency USING (merchant_id, currency)
     WHERE merchant_id = $1 AND environment = $2 AND kind IN ('available', 'held')
     GROUP BY currency ORDER BY currency`,
    scope.merchantId,
    scope.environment,
  );
  return rows.map((row) => ({ currency: row.currency, available: BigInt(row.available), held: BigInt(row.held) }));
}

/** Opens the accounts of a currency that the merchant does not have, so that stray money in it can be kept. */
export async function openAccounts(scope: Scope, currency: string): Promise<void> {
  await query(
    `INSERT INTO ledger_account (merchant_id, environment, currency, kind)
     SELECT $1, $2, $3, kind FROM unnest($4::text[]) AS kind ON CONFLICT DO NOTHING`,
    scope.merchantId,
    scope.environment,
    currency,
    OPENED_ACCOUNTS,
  );
}

/** True when exactly this funding is booked: its key, currency and amount. */
export async function hasFunding(scope: Scope, { uniqueKey, entries }: LedgerTransaction): Promise<boolean> {
  const into = entries.find(({ account }) => account === "available");
  const rows = await query(
    `SELECT 1 FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'available'
     WHERE t.merchant_id = $1 AND t.environment = $2 AND t.unique_key = $3 AND e.currency = $4 AND e.amount = $5::numeric`,
    scope.merchantId,
    scope.environment,
    uniqueKey,
    into?.currency,
    into?.amount.toString(),
  );
  return rows.length > 0;
}
