// A wallet account's statement in pages: its entries, newest first, each with the balance after it.
import {
  type AccountEntry,
  type AccountName,
  balanceAfter,
  lastEntryBefore,
  lastEntryOf,
  listAccountEntries,
} from "@/server/db/account-entries";
import { findIntentNames, type IntentNames } from "@/server/db/intent-names";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { WalletAccount } from "@/server/domain/statement";
import { asReport } from "@/server/platform/report-scope";
import { readReport } from "../reports";

export interface AccountPeriod {
  readonly scope: Scope;
  readonly currency: string;
  readonly account: WalletAccount;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** The start of a page: the number of its newest entry, and the account's balance after it. */
export interface LinePosition {
  readonly sequence: bigint;
  readonly balance: bigint;
}

export interface AccountLine extends AccountEntry {
  /** The account's balance after this entry, in minor units. */
  readonly balance: bigint;
  /** What people know its intent by; nothing for a movement without one. */
  readonly names: IntentNames;
}

export interface AccountLines {
  readonly lines: readonly AccountLine[];
  /** The start of the next page; null on the last. */
  readonly next: LinePosition | null;
  /** The balance before the period's first entry, on the last page; null on every other. */
  readonly opening: bigint | null;
  /** Nothing booked before this instant is missing; null if the service's own database was read. */
  readonly asOf: Date | null;
}

/**
 * Returns at most `count` lines of the period from the position on; null starts at its newest. History does not change,
 * so the balances of a later page follow from its position. Throws not_found if the merchant has no such wallet,
 * validation_failed for an empty period.
 */
export async function listAccountLines(
  period: AccountPeriod,
  position: LinePosition | null,
  count: number,
): Promise<AccountLines> {
  const account = accountOf(period);
  const { asOf, result } = await readReport(() => linesOf(account, period, position, count));
  return { ...result, asOf };
}

const NO_NAMES: IntentNames = { merchantReference: null, providerReference: null, counterparty: null };

async function linesOf(
  account: AccountName,
  { from, to }: AccountPeriod,
  position: LinePosition | null,
  count: number,
): Promise<Omit<AccountLines, "asOf">> {
  const newest = position ?? (await newestOf(account, to));
  const first = from ? await lastEntryBefore(account, from) : 0n;
  const found = await listAccountEntries(account, { first, last: newest.sequence }, count + 1);
  let { balance } = newest;
  const lines = (await withNames(account.scope, found.slice(0, count))).map((entry) => {
    const line = { ...entry, balance };
    balance -= entry.amount;
    return line;
  });
  const beyond = found.at(count);
  return {
    lines,
    next: beyond ? { sequence: beyond.sequence, balance } : null,
    opening: beyond ? null : balance,
  };
}

/**
 * Adds what people know the entries' intents by, read with one statement.
 */
export async function withNames<Entry extends AccountEntry>(
  scope: Scope,
  entries: readonly Entry[],
): Promise<(Entry & Pick<AccountLine, "names">)[]> {
  const found = await findIntentNames(scope, [...new Set(entries.flatMap(({ intentId }) => intentId ?? []))]);
  return entries.map((entry) => ({ ...entry, names: found.get(entry.intentId ?? "") ?? NO_NAMES }));
}

/**
 * Returns the number of the period's lines after the line with this number; null counts from its beginning. Lines are
 * numbered without gaps. Throws as `listAccountLines` does.
 */
export async function countLinesAfter(period: AccountPeriod, sequence: bigint | null): Promise<bigint> {
  const account = accountOf(period);
  // From where the lines come too: a line that they lack would be counted again and again.
  const [newest, known] = await asReport(async () => [
    await lastOf(account, period.to),
    sequence ?? (period.from ? await lastEntryBefore(account, period.from) : 0n),
  ]);
  return newest > known ? newest - known : 0n;
}

/** The ledger account of a period. Throws validation_failed if the period is empty. */
export function accountOf({ scope, currency, account: kind, from, to }: AccountPeriod): AccountName {
  if (from && to && from >= to) throw validationError("created_after", "must be before created_before");
  return { scope, currency, kind };
}

async function newestOf(account: AccountName, to: Date | undefined): Promise<LinePosition> {
  const sequence = await lastOf(account, to);
  return { sequence, balance: await balanceAfter(account, sequence) };
}

/** The number of the period's last entry. Throws not_found if the merchant has no such wallet. */
export async function lastOf(account: AccountName, to: Date | undefined): Promise<bigint> {
  const last = await lastEntryOf(account);
  if (last === null) throw new ServiceError("not_found", "The merchant has no such wallet.");
  return to ? lastEntryBefore(account, to) : last;
}
