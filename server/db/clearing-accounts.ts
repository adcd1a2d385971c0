import { LRUCache } from "lru-cache";
import { clearingAccount, type LedgerTransaction } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

/** Accounts are never removed, but a failover or a restore under a running process can lose the newest ones. */
const KNOWN_FOR_MS = 10_000;
/** Accounts that this process recently made sure exist; an evicted one costs one more query. */
const known = new LRUCache<string, true>({ max: 10_000, ttl: KNOWN_FOR_MS });

/**
 * Opens the clearing accounts that the transactions book to and that do not exist yet. `intentProvider` is the provider
 * of transactions that name none. Costs a query only the first time a process books to an account in a while.
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
  known.set(key, true);
}
