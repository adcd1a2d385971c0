import { clearingAccount, type LedgerTransaction } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

/** Accounts this process knows to exist; accounts are never removed. */
const known = new Set<string>();
/** Bounds the memory of `known`; what is forgotten costs one more query. */
const MAXIMUM_KNOWN = 100_000;

/**
 * Opens the clearing accounts that the transactions book to and that do not exist yet. `intentProvider` is the provider
 * of transactions that name none. Costs a query only the first time a process books to an account.
 */
export async function openClearingAccounts(
  scope: Scope,
  transactions: readonly LedgerTransaction[],
  intentProvider?: string,
): Promise<void> {
  for (const { provider = intentProvider, entries } of transactions) {
    for (const { account, currency } of entries) {
      if (account === "provider_clearing" && provider !== undefined) await openOne(scope, currency, provider);
    }
  }
}

async function openOne({ merchantId, environment }: Scope, currency: string, provider: string): Promise<void> {
  const key = JSON.stringify([merchantId, environment, currency, provider]);
  if (known.has(key)) return;
  await query(
    `INSERT INTO ledger_account (merchant_id, environment, currency, kind) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    merchantId,
    environment,
    currency,
    clearingAccount(provider),
  );
  if (known.size >= MAXIMUM_KNOWN) known.clear();
  known.add(key);
}
