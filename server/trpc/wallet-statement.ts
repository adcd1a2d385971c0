// The query of a wallet's statement, and its positions: an entry's number with the balance after it.
import { z } from "zod";
import { currency } from "@/server/contract/fields";
import { cursor, instant } from "@/server/contract/lists";
import type { Scope } from "@/server/domain/scope";
import { WALLET_ACCOUNTS } from "@/server/domain/statement";
import { readListQuery } from "@/server/http/list";
import type { PagePosition } from "@/server/services/page";
import {
  type AccountLines,
  type AccountPeriod,
  countLinesAfter,
  type LinePosition,
  listAccountLines,
} from "@/server/services/statements/account-lines";

/** The filters, named as in REST lists, and the account of the wallet. */
export const statementQuery = z.object({
  currency,
  account: z.enum(WALLET_ACCOUNTS, { error: `must be one of ${WALLET_ACCOUNTS.join(", ")}` }),
  created_after: instant.optional(),
  created_before: instant.optional(),
  cursor: cursor.optional(),
});

export type StatementQuery = z.output<typeof statementQuery>;

/** A list position is an instant and a name; here the name is sufficient. */
export function toPosition({ sequence, balance }: LinePosition): PagePosition {
  return { createdAt: new Date(0), id: `${sequence}~${balance}` };
}

/** The position of `toPosition`. */
export function fromPosition({ id }: PagePosition): LinePosition {
  const [sequence = "0", balance = "0"] = id.split("~");
  return { sequence: BigInt(sequence), balance: BigInt(balance) };
}

/** The period that a query names. */
export function periodOf(scope: Scope, { currency: code, account, created_after, created_before }: StatementQuery) {
  const { createdAfter: from, createdBefore: to } = readListQuery(scope, "", { created_after, created_before }).filter;
  return { scope, currency: code, account, from, to } satisfies AccountPeriod;
}

/** Returns at most `count` lines after the position. Throws as `listAccountLines` does. */
export async function readStatement(
  scope: Scope,
  asked: StatementQuery,
  after: PagePosition | null,
  count: number,
): Promise<Omit<AccountLines, "next"> & { readonly next: PagePosition | null }> {
  const { next, ...page } = await listAccountLines(periodOf(scope, asked), after && fromPosition(after), count);
  return { ...page, next: next && toPosition(next) };
}

/** `newest` is the number of the newest line shown; null for an empty statement. */
export const newLinesQuery = statementQuery.omit({ cursor: true }).extend({
  newest: z
    .string()
    .regex(/^\d{1,18}$/, "must be the number of a line")
    .nullable(),
});

/** Counts the lines after the newest one shown. Throws as `listAccountLines` does. */
export function countNewLines(scope: Scope, { newest, ...asked }: z.output<typeof newLinesQuery>): Promise<bigint> {
  return countLinesAfter(periodOf(scope, asked), newest === null ? null : BigInt(newest));
}
