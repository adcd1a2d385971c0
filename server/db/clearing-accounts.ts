import { clearingAccount, type LedgerTransaction } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

/** Account → when this process last made sure that it exists, by `performance.now()`. */
const known = new Map<string, number>();
/** Accounts are never removed, but a failover or a restore under a running process can lose the newest ones. */
const KNOWN_FOR_MS = 10_000;
/** Bounds the memory of `known`; what is forgotten costs one more query. */
const MAXIMUM_KNOWN = 100_000;

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
  const knownAt = known.get(key);
  if (knownAt !== undefined && performance.now() - knownAt < KNOWN_FOR_MS) return;
  await query(
    `INSERT INTO ledger_account (merchant_id, environment, currency, kind) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    merchantId,
    environment,
    currency,
    clearingAccount(provider),
  );
  if (known.size >= MAXIMUM_KNOWN) known.clear();
  known.set(key, performance.now());
}
