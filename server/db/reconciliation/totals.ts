// What settlement lines of one merchant come to, beside what the books have for them.
import type { Scope } from "@/server/domain/scope";
import type { Transaction } from "../transaction";

/** The lines of one provider in one currency; sums in minor units, below zero for what left. */
export interface SettlementTotal {
  readonly provider: string;
  readonly currency: string;
  readonly lines: number;
  /** How many of them a person must check. */
  readonly differing: number;
  /** What the provider's lines say moved, without fees and bank transfers. */
  readonly theirs: bigint;
  /** What the books have for these lines. */
  readonly ours: bigint;
  /** What the provider charged. */
  readonly fees: bigint;
}

/** The lines of one file, or those that were settled in a period, its end excluded. */
export type LinesOfTotal =
  | { readonly provider: string; readonly fileId: string }
  | { readonly from: Date; readonly to: Date };

/**
 * Of a line that is matched, the books have what it says: its movement less what entries have taken back of it. Of a line with another
 * sum they have the movement, in the currency of its booking.
 */
const totals = (where: string) => `
  WITH line AS (
    SELECT l.provider, l.currency, l.kind, l.verdict, l.fee, l.amount, l.why, l.transaction_id,
           CASE l.kind WHEN 'payment' THEN l.amount WHEN 'topup' THEN l.amount WHEN 'payout' THEN -l.amount
                       WHEN 'refund' THEN -l.amount ELSE 0 END AS moved
    FROM settlement_line l WHERE l.merchant_id = $1 AND l.environment = $2 AND ${where}
  ),
  side AS (
    SELECT provider, currency, count(*)::int AS lines, count(why)::int AS differing,
           sum(moved) AS theirs, coalesce(sum(moved) FILTER (WHERE verdict = 'matched'), 0) AS ours,
           sum(fee + CASE kind WHEN 'fee' THEN amount ELSE 0 END) AS fees
    FROM line GROUP BY provider, currency
    UNION ALL
    SELECT l.provider, e.currency, 0, 0, 0, -sum(e.amount), 0
    FROM line l JOIN ledger_entry e ON e.merchant_id = $1 AND e.transaction_id = l.transaction_id AND l.verdict <> 'matched'
      AND e.kind IN ('provider_clearing', 'provider_clearing:' || l.provider)
    GROUP BY l.provider, e.currency
  )
  SELECT provider, currency, sum(lines)::int AS lines, sum(differing)::int AS differing, sum(theirs)::text AS theirs,
         sum(ours)::text AS ours, sum(fees)::text AS fees
  FROM side GROUP BY provider, currency ORDER BY provider, currency`;

/** The totals of the merchant's lines, by provider and currency. */
export async function sumLinesWithin(
  transaction: Transaction,
  { merchantId, environment }: Scope,
  of: LinesOfTotal,
): Promise<SettlementTotal[]> {
  interface Row extends Omit<SettlementTotal, "theirs" | "ours" | "fees"> {
    readonly theirs: string;
    readonly ours: string;
    readonly fees: string;
  }
  const [where, values] =
    "fileId" in of
      ? ["l.provider = $3 AND l.file_id = $4", [of.provider, of.fileId]]
      : ["l.settled_at >= $3::timestamptz AND l.settled_at < $4::timestamptz", [of.from, of.to]];
  const rows = await transaction.query<Row>(totals(where), merchantId, environment, ...values);
  return rows.map((row) => ({ ...row, theirs: BigInt(row.theirs), ours: BigInt(row.ours), fees: BigInt(row.fees) }));
}
