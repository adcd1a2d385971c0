// A wallet account's whole statement: its balances and totals, then its lines, the oldest first, as files need them.
import {
  type AccountName,
  balanceAfter,
  lastEntryBefore,
  listAccountEntries,
  sumByReason,
} from "@/server/db/account-entries";
import { type StatementSummary, summarize } from "@/server/domain/statement-summary";
import { type Reported, readReport } from "../reports";
import { type AccountLine, type AccountPeriod, accountOf, type LinePosition, lastOf, withNames } from "./account-lines";

/** A period whose lines are fixed: what is booked later is not in it. */
export interface AccountStatement extends StatementSummary {
  readonly account: AccountName;
  /** The number before the first line's, and the last line's. */
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Returns the balances and totals of the period. Throws not_found if the merchant has no such wallet, validation_failed
 * for an empty period.
 */
export function summarizeAccount(period: AccountPeriod): Promise<Reported<AccountStatement>> {
  return readReport(() => openStatement(period));
}

/** The same, read where the running work reads. */
export async function openStatement(period: AccountPeriod): Promise<AccountStatement> {
  const account = accountOf(period);
  const last = await lastOf(account, period.to);
  const first = period.from ? await lastEntryBefore(account, period.from) : 0n;
  const [closing, kinds] = [await balanceAfter(account, last), await sumByReason(account, { first, last })];
  return { ...summarize(closing, kinds), account, first, last };
}

export interface StatementPart {
  readonly lines: readonly AccountLine[];
  /** The last line of this part; null after the last part. */
  readonly next: LinePosition | null;
}

/** Returns at most `count` lines after the position, the oldest first; null begins with the first line. */
export async function readStatementPart(
  { account, first, last, opening }: AccountStatement,
  after: LinePosition | null,
  count: number,
): Promise<StatementPart> {
  const range = { first: after?.sequence ?? first, last };
  const found = await listAccountEntries(account, range, count, "oldest_first");
  let balance = after?.balance ?? opening;
  const lines = (await withNames(account.scope, found)).map((entry) => {
    balance += entry.amount;
    return { ...entry, balance };
  });
  const end = lines.at(-1);
  const next = end && end.sequence < last ? { sequence: end.sequence, balance: end.balance } : null;
  return { lines, next };
}
