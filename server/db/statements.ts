// Reading what a statement is made of: stored balances and entries of one wallet, as at one instant.
import type { Scope } from "@/server/domain/scope";
import type { Balances, StatementEntry } from "@/server/domain/statement";
import { inSnapshot } from "./client";

export interface WalletPeriod {
  readonly scope: Scope;
  readonly currency: string;
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
}

export interface WalletHistory {
  /** Sums of the entries before the period, and after it. */
  readonly before: Balances;
  readonly after: Balances;
  /** What the accounts keep as their balance now. */
  readonly stored: Balances;
  readonly entries: readonly StatementEntry[];
}

const WALLET = "e.merchant_id = $1 AND e.environment = $2 AND e.currency = $3 AND e.kind IN ('available', 'held')";
const TRANSACTION = "JOIN ledger_transaction t ON t.merchant_id = e.merchant_id AND t.id = e.transaction_id";

const sum = (kind: string, column: string, when = "true") =>
  `coalesce(sum(${column}) FILTER (WHERE e.kind = '${kind}' AND ${when}), 0)::text`;
const BEFORE = "t.created_at < $4::timestamptz";
const AFTER = "t.created_at >= $5::timestamptz";

const OUTSIDE = `
  SELECT ${sum("available", "e.amount", BEFORE)} AS available_before, ${sum("held", "e.amount", BEFORE)} AS held_before,
         ${sum("available", "e.amount", AFTER)} AS available_after, ${sum("held", "e.amount", AFTER)} AS held_after
  FROM ledger_entry e ${TRANSACTION} WHERE ${WALLET}`;

const STORED = `
  SELECT count(*)::int AS accounts, ${sum("available", "e.balance")} AS available, ${sum("held", "e.balance")} AS held
  FROM ledger_account e WHERE ${WALLET}`;

/** In the order of booking: by time, and where several share a millisecond by their number in the account. */
const ENTRIES = `
  SELECT t.id, t.created_at, t.reason, t.intent_id, ${sum("available", "e.amount")} AS available,
         ${sum("held", "e.amount")} AS held
  FROM ledger_entry e ${TRANSACTION}
  WHERE ${WALLET} AND t.created_at >= $4::timestamptz AND t.created_at < $5::timestamptz
  GROUP BY t.merchant_id, t.id
  ORDER BY t.created_at, min(e.sequence) FILTER (WHERE e.kind = 'available'), min(e.sequence), t.id`;

interface OutsideBalances {
  readonly available_before: string;
  readonly held_before: string;
  readonly available_after: string;
  readonly held_after: string;
}

interface EntryRow {
  readonly id: string;
  readonly created_at: Date;
  readonly reason: string;
  readonly intent_id: string | null;
  readonly available: string;
  readonly held: string;
}

function balances(available: string, held: string): Balances {
  return { available: BigInt(available), held: BigInt(held) };
}

/** A wallet's history on one snapshot, read-only; null when the merchant has no wallet in the currency. */
export function readWalletHistory({ scope, currency, from, to }: WalletPeriod): Promise<WalletHistory | null> {
  const wallet = [scope.merchantId, scope.environment, currency];
  return inSnapshot(async (transaction) => {
    const read = <Row>(sql: string, ...more: unknown[]) => transaction.query<Row>(sql, ...wallet, ...more);
    const [row] = await read<{ accounts: number; available: string; held: string }>(STORED);
    if (!row || row.accounts === 0) return null;
    const [outside] = await read<OutsideBalances>(OUTSIDE, from, to);
    if (!outside) throw new Error("a sum gave no row");
    const rows = await read<EntryRow>(ENTRIES, from, to);
    return {
      before: balances(outside.available_before, outside.held_before),
      after: balances(outside.available_after, outside.held_after),
      stored: balances(row.available, row.held),
      entries: rows.map((row) => ({
        at: row.created_at,
        transactionId: row.id,
        reason: row.reason,
        intentId: row.intent_id,
        ...balances(row.available, row.held),
      })),
    };
  });
}
