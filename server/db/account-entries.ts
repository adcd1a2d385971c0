// Reading one account's entries in the order of booking: a stretch of them, where a time falls, the balance there.
import type { LedgerAccount } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import { inSnapshot, query } from "./client";

export interface AccountName {
  readonly scope: Scope;
  readonly currency: string;
  readonly kind: LedgerAccount;
}

export interface AccountEntry {
  /** Its number in the account, counted from 1 without a gap. */
  readonly sequence: bigint;
  readonly transactionId: string;
  readonly reason: string;
  readonly intentId: string | null;
  /** Minor units; negative takes from the account. */
  readonly amount: bigint;
  readonly at: Date;
}

const NAMED = "merchant_id = $1 AND environment = $2 AND currency = $3 AND kind = $4";
const TRANSACTION = "JOIN ledger_transaction t ON t.merchant_id = e.merchant_id AND t.id = e.transaction_id";

function valuesOf({ scope, currency, kind }: AccountName): unknown[] {
  return [scope.merchantId, scope.environment, currency, kind];
}

/** Halves the account until one number is left: entries are booked in the order of time, to within a commit. */
const LAST_BEFORE = `
  WITH RECURSIVE search(lo, hi) AS (
    SELECT 0::bigint, last_sequence FROM ledger_account WHERE ${NAMED}
    UNION ALL
    SELECT CASE WHEN t.created_at < $5::timestamptz THEN s.middle ELSE s.lo END,
           CASE WHEN t.created_at < $5::timestamptz THEN s.hi ELSE s.middle - 1 END
    FROM (SELECT lo, hi, (lo + hi + 1) / 2 AS middle FROM search WHERE lo < hi) s
    JOIN ledger_entry e ON e.merchant_id = $1 AND e.environment = $2 AND e.currency = $3 AND e.kind = $4
      AND e.sequence = s.middle
    ${TRANSACTION}
  )
  SELECT lo::text AS sequence FROM search WHERE lo = hi`;

/** The number of the last entry booked before the instant; 0 where there is none. */
export async function lastEntryBefore(account: AccountName, instant: Date): Promise<bigint> {
  const [row] = await query<{ sequence: string }>(LAST_BEFORE, ...valuesOf(account), instant);
  return BigInt(row?.sequence ?? "0");
}

/** As above for every instant of $5 at once; then what was booked between them, and after the last, in one pass. */
const BETWEEN = `
  WITH RECURSIVE account AS (SELECT balance, last_sequence FROM ledger_account WHERE ${NAMED}),
  search(place, at, lo, hi) AS (
    SELECT place, at, 0::bigint, last_sequence FROM account, unnest($5::timestamptz[]) WITH ORDINALITY AS b(at, place)
    UNION ALL
    SELECT s.place, s.at, CASE WHEN found.at < s.at THEN s.middle ELSE s.lo END,
           CASE WHEN found.at < s.at THEN s.hi ELSE s.middle - 1 END
    FROM (SELECT place, at, lo, hi, (lo + hi + 1) / 2 AS middle FROM search WHERE lo < hi) s
    CROSS JOIN LATERAL (
      SELECT t.created_at AS at FROM ledger_entry e ${TRANSACTION}
      WHERE e.merchant_id = $1 AND e.environment = $2 AND e.currency = $3 AND e.kind = $4 AND e.sequence = s.middle
      LIMIT 1
    ) found
  ),
  bound AS MATERIALIZED (SELECT array_agg(lo + 1 ORDER BY place) AS firsts FROM search WHERE lo = hi),
  booked AS (
    SELECT width_bucket(e.sequence, bound.firsts) AS place, sum(e.amount) AS amount
    FROM bound, ledger_entry e
    WHERE e.merchant_id = $1 AND e.environment = $2 AND e.currency = $3 AND e.kind = $4 AND e.sequence >= bound.firsts[1]
    GROUP BY 1
  )
  SELECT account.balance::text AS balance, booked.place, booked.amount::text AS amount
  FROM account LEFT JOIN booked ON true`;

export interface PeriodSums {
  /** The account's balance now, in minor units. */
  readonly balance: bigint;
  /** What was booked from each instant to the next, and from the last one on, in minor units. */
  readonly amounts: readonly bigint[];
}

/** What the account's entries come to between instants in their order; null where the merchant has no such account. */
export async function sumBetween(account: AccountName, instants: readonly Date[]): Promise<PeriodSums | null> {
  const bounds = instants.map((at) => at.toISOString());
  const rows = await query<{ balance: string; place: number | null; amount: string }>(
    BETWEEN,
    ...valuesOf(account),
    bounds,
  );
  const [first] = rows;
  if (!first) return null;
  const byPlace = new Map(rows.map(({ place, amount }) => [place, amount]));
  const amounts = instants.map((_, index) => BigInt(byPlace.get(index + 1) ?? "0"));
  return { balance: BigInt(first.balance), amounts };
}

/** The number of the account's last entry; null where the merchant has no such account. */
export async function lastEntryOf(account: AccountName): Promise<bigint | null> {
  const sql = `SELECT last_sequence::text AS sequence FROM ledger_account WHERE ${NAMED}`;
  const [row] = await query<{ sequence: string }>(sql, ...valuesOf(account));
  return row ? BigInt(row.sequence) : null;
}

/** The account's balance right after the entry of that number, in minor units: what it keeps less what came later. */
export async function balanceAfter(account: AccountName, sequence: bigint): Promise<bigint> {
  const [row] = await query<{ balance: string }>(
    `SELECT (balance - coalesce((SELECT sum(amount) FROM ledger_entry WHERE ${NAMED} AND sequence > $5::bigint), 0))::text
            AS balance
     FROM ledger_account WHERE ${NAMED}`,
    ...valuesOf(account),
    sequence.toString(),
  );
  return BigInt(row?.balance ?? "0");
}

/** A run of an account's entries, by their numbers. */
export interface EntryRange {
  /** Excluded. */
  readonly first: bigint;
  /** Included. */
  readonly last: bigint;
}

const IN_RANGE = `e.merchant_id = $1 AND e.environment = $2 AND e.currency = $3 AND e.kind = $4
  AND e.sequence > $5::bigint AND e.sequence <= $6::bigint`;

/** At most `count` entries of the range, in the order of booking or against it. */
export async function listAccountEntries(
  account: AccountName,
  { first, last }: EntryRange,
  count: number,
  order: "newest_first" | "oldest_first" = "newest_first",
): Promise<AccountEntry[]> {
  const direction = order === "newest_first" ? "DESC" : "ASC";
  const rows = await query<Omit<AccountEntry, "sequence" | "amount"> & { sequence: string; amount: string }>(
    `SELECT e.sequence::text AS sequence, t.id AS "transactionId", t.reason, t.intent_id AS "intentId",
            e.amount::text AS amount, t.created_at AS at
     FROM ledger_entry e ${TRANSACTION} WHERE ${IN_RANGE} ORDER BY e.sequence ${direction} LIMIT $7`,
    ...valuesOf(account),
    first.toString(),
    last.toString(),
    count,
  );
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence), amount: BigInt(row.amount) }));
}

/** The entries of one reason in a range: how many, and what they brought and took, both in minor units without a sign. */
export interface ReasonSum {
  readonly reason: string;
  readonly creditCount: number;
  readonly credited: bigint;
  readonly debitCount: number;
  readonly debited: bigint;
}

/** Sums the entries of the range by their reason. Reads the whole range, so it may take long. */
export async function sumByReason(account: AccountName, { first, last }: EntryRange): Promise<ReasonSum[]> {
  interface Row extends Omit<ReasonSum, "credited" | "debited"> {
    readonly credited: string;
    readonly debited: string;
  }
  const rows = await inSnapshot((transaction) =>
    transaction.query<Row>(
      `SELECT t.reason, count(*) FILTER (WHERE e.amount >= 0)::int AS "creditCount",
              coalesce(sum(e.amount) FILTER (WHERE e.amount >= 0), 0)::text AS credited,
              count(*) FILTER (WHERE e.amount < 0)::int AS "debitCount",
              coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)::text AS debited
       FROM ledger_entry e ${TRANSACTION} WHERE ${IN_RANGE} GROUP BY t.reason ORDER BY t.reason`,
      ...valuesOf(account),
      first.toString(),
      last.toString(),
    ),
  );
  return rows.map((row) => ({ ...row, credited: BigInt(row.credited), debited: BigInt(row.debited) }));
}
