// What an audit entry covers of the ledger: the text of one transaction that its digest is taken over, and its id.
import type { LedgerEntry } from "./ledger";

/**
 * A ledger transaction with everything that the service writes of it, except the numbers of its entries, its
 * `movementOrdinal` and its `journaledIntentId`. Those two only order simultaneous commits: the next booking takes the number
 * after the highest, whatever that is.
 */
export interface CoveredTransaction {
  readonly merchantId: string;
  readonly environment: string;
  readonly id: string;
  readonly reason: string;
  readonly uniqueKey: string;
  readonly intentId: string | null;
  readonly createdAt: Date;
  readonly entries: readonly (Omit<LedgerEntry, "account"> & { readonly account: string })[];
}

/** Changes whenever the text does. */
const FORM = "sluice-ledger-1";

/** The same text for the same transaction, whatever the order of its entries. */
export function transactionText(transaction: CoveredTransaction): string {
  const { merchantId, environment, id, reason, uniqueKey, intentId, createdAt, entries } = transaction;
  const legs = entries.map(({ account, currency, amount }) => `${account} ${currency} ${amount}`).sort();
  return JSON.stringify([
    FORM,
    merchantId,
    environment,
    id,
    reason,
    uniqueKey,
    intentId,
    createdAt.toISOString(),
    legs,
  ]);
}

/**
 * The id of the ledger transaction at `place` (0, 1, …) in the commit of an audit entry: the entry that covers it is found
 * from the id alone.
 */
export function transactionId(auditId: string, place: number): string {
  const id = `ltx_${auditId.slice("aud_".length)}`;
  return place === 0 ? id : `${id}_${place}`;
}
