// An in-memory ledger with the real one's guards: a key and a number are booked once, and returns never exceed their
// payout.
import type { LedgerAccount, LedgerTransaction } from "@/server/domain/ledger";

export class MemoryLedger {
  readonly transactions = new Map<string, LedgerTransaction>();

  has(key: string): boolean {
    return this.transactions.has(key);
  }

  /** True if a booking has the transaction's key or number, so that it is rejected. */
  refuses({ uniqueKey, movementOrdinal }: LedgerTransaction): boolean {
    return this.has(uniqueKey) || (movementOrdinal !== undefined && movementOrdinal < this.nextOrdinal);
  }

  /** One more than the highest number of a booking. */
  get nextOrdinal(): number {
    return Math.max(0, ...[...this.transactions.values()].map(({ movementOrdinal = 0 }) => movementOrdinal)) + 1;
  }

  /** Books the transaction. Throws if the key is taken or the entries do not sum to zero. */
  book(transaction: LedgerTransaction): void {
    if (this.has(transaction.uniqueKey)) throw new RangeError(`${transaction.uniqueKey} is booked already`);
    const sums = new Map<string, bigint>();
    for (const { currency, amount } of transaction.entries) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    if ([...sums.values()].some((sum) => sum !== 0n)) throw new RangeError(`${transaction.uniqueKey} does not balance`);
    this.transactions.set(transaction.uniqueKey, transaction);
  }

  /** Balance per currency of one account. */
  balance(account: LedgerAccount): Record<string, bigint> {
    const sums: Record<string, bigint> = {};
    for (const { entries } of this.transactions.values()) {
      for (const entry of entries) {
        if (entry.account === account) sums[entry.currency] = (sums[entry.currency] ?? 0n) + entry.amount;
      }
    }
    return sums;
  }

  /** The amount that `reason` moved through an account in one currency. */
  moved(reason: LedgerTransaction["reason"], account: LedgerAccount, currency: string): bigint {
    let sum = 0n;
    for (const transaction of this.transactions.values()) {
      if (transaction.reason !== reason) continue;
      for (const entry of transaction.entries) {
        if (entry.account === account && entry.currency === currency) sum += entry.amount;
      }
    }
    return sum;
  }
}
