// The exportable lists: for each, its filters, how to read its pages, and its rows.

import { auditFilter } from "@/server/contract/audit";
import type { ListOrder } from "@/server/domain/list-order";
import type { MemberAct } from "@/server/domain/permissions";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { readListQuery } from "@/server/http/list";
import { parseQuery } from "@/server/http/query";
import { validate } from "@/server/http/validate";
import { listIntents } from "@/server/services/intents/read";
import type { Page, PagePosition } from "@/server/services/page";
import { PAYMENTS } from "@/server/services/payments/kind";
import { PAYOUTS } from "@/server/services/payouts/kind";
import { TOPUPS } from "@/server/services/topups/kind";
import { readAuditLog } from "../audit-query";
import { type ListName, readListAddress } from "../list-address";
import { readStatement, statementQuery } from "../wallet-statement";
import { auditCells, paymentCells, payoutCells, statementCells, topupCells } from "./cells";

/** Large enough to be fast, small enough for memory. */
const PAGE = 500;

interface Lines {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads the page after a position; null ends the file. */
export type PageReader = (after: PagePosition | null) => Promise<{ lines: Lines; next: PagePosition | null }>;

type Filter = ReturnType<typeof readListQuery>["filter"];
type ListReader<Intent> = (
  scope: Scope,
  filter: Filter,
  after: PagePosition | null,
  limit: number,
  order: ListOrder,
) => Promise<Page<Intent>>;
function listOf<Intent extends IntentCore<string>>(
  kind: Parameters<typeof listIntents<Intent>>[0],
): ListReader<Intent> {
  return (...query) => listIntents(kind, ...query);
}

type Cells<Intent> = (intent: Intent) => readonly (readonly [string, string])[];

function pagesOf<Intent extends { readonly id: string; readonly createdAt: Date }>(
  list: ListName,
  read: ListReader<Intent>,
  cells: Cells<Intent>,
) {
  return (scope: Scope, url: URL, memberId: string): PageReader => {
    const { queue, ...query } = readListAddress(list, url);
    const { filter: asked, order } = readListQuery(scope, "export", query);
    const filter = queue === "mine" ? { ...asked, decidableBy: memberId } : asked;
    return async (after) => {
      const { rows: found, hasMore } = await read(scope, filter, after, PAGE, order);
      const rows = found.map(cells);
      const columns = (rows[0] ?? []).map(([column]) => column);
      const last = found.at(-1);
      return {
        lines: { columns, rows: rows.map((row) => row.map(([, cell]) => cell)) },
        next: hasMore && last ? { createdAt: last.createdAt, id: last.id } : null,
      };
    };
  };
}

function statementPages(scope: Scope, url: URL): PageReader {
  const known = new Set(Object.keys(statementQuery.shape).filter((name) => name !== "cursor"));
  const query = validate(statementQuery, parseQuery(url, known).values, "query");
  return async (after) => {
    const { lines, next } = await readStatement(scope, query, after, PAGE);
    const rows = lines.map((line) => statementCells(line, query.currency));
    const columns = (rows[0] ?? []).map(([column]) => column);
    return { lines: { columns, rows: rows.map((row) => row.map(([, cell]) => cell)) }, next };
  };
}

/** A page of entries may be empty although more follow: the first one with entries names the columns. */
function auditPages(scope: Scope, url: URL): PageReader {
  const query = validate(auditFilter, parseQuery(url, new Set(Object.keys(auditFilter.shape))).values, "query");
  return async (after) => {
    let { entries, next } = await readAuditLog(scope, query, after, PAGE);
    while (entries.length === 0 && next) ({ entries, next } = await readAuditLog(scope, query, next, PAGE));
    const rows = entries.map(auditCells);
    const columns = (rows[0] ?? []).map(([column]) => column);
    return { lines: { columns, rows: rows.map((row) => row.map(([, cell]) => cell)) }, next };
  };
}

/** The available files, by the last part of their address. */
export const SOURCES = {
  payouts: pagesOf("payouts", listOf(PAYOUTS), payoutCells),
  payments: pagesOf("payments", listOf(PAYMENTS), paymentCells),
  topups: pagesOf("topups", listOf(TOPUPS), topupCells),
  statement: statementPages,
  audit: auditPages,
} as const;

/** What a member must be allowed to do besides exporting. */
export const ALSO_REQUIRED: Partial<Record<ExportKind, MemberAct>> = { audit: "read_audit" };

export type ExportKind = keyof typeof SOURCES;
