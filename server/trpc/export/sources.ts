// The exportable lists: for each, its filters, how to read its pages, and its rows.

import { z } from "zod";
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
import { readSettlementFile } from "@/server/services/reconciliation/files";
import { TOPUPS } from "@/server/services/topups/kind";
import { readAuditLog } from "../audit-query";
import { type ListName, readListAddress } from "../list-address";
import { lineAtPosition, lineVerdict, positionOfLine } from "../settlement-lines";
import { auditCells, paymentCells, payoutCells, settlementCells, topupCells } from "./cells";
import { type ExportReader, linesOf, type PageReader } from "./page-reader";
import { statementCamt, statementCsv, statementPdfFile } from "./statement/source";
import { cellsOfView } from "./view-columns";

/** Large enough to be fast, small enough for memory. */
const PAGE = 500;

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
  return (scope: Scope, url: URL, { memberId }: ExportReader): PageReader => {
    const { queue, ...query } = readListAddress(list, url);
    const shown = (url.searchParams.get("columns") ?? "").split(",");
    const { filter: asked, order } = readListQuery(scope, "export", query);
    const filter = queue === "mine" ? { ...asked, decidableBy: memberId } : asked;
    return async (after) => {
      let { rows: found, hasMore, readTo } = await read(scope, filter, after, PAGE, order);
      // The first row names the columns of the file.
      while (found.length === 0 && readTo)
        ({ rows: found, hasMore, readTo } = await read(scope, filter, readTo, PAGE, order));
      const last = readTo ?? found.at(-1);
      return {
        lines: linesOf(found.map((intent) => cellsOfView(cells(intent), shown))),
        next: hasMore && last ? { createdAt: last.createdAt, id: last.id } : null,
      };
    };
  };
}

/** A page of entries may be empty although more follow: the first one with entries names the columns. */
function auditPages(scope: Scope, url: URL): PageReader {
  const query = validate(auditFilter, parseQuery(url, new Set(Object.keys(auditFilter.shape))).values, "query");
  return async (after) => {
    let { entries, next } = await readAuditLog(scope, query, after, PAGE);
    while (entries.length === 0 && next) ({ entries, next } = await readAuditLog(scope, query, next, PAGE));
    return { lines: linesOf(entries.map(auditCells)), next };
  };
}

const settlementQuery = z.object({ id: z.string().max(64), verdict: lineVerdict.optional() });

function settlementPages(scope: Scope, url: URL): PageReader {
  const { values } = parseQuery(url, new Set(Object.keys(settlementQuery.shape)));
  const query = validate(settlementQuery, values, "query");
  return async (after) => {
    const { lines, next } = await readSettlementFile(scope, query, after && lineAtPosition(after), PAGE);
    return { lines: linesOf(lines.map(settlementCells)), next: next && positionOfLine(next) };
  };
}

/** The available files, by the last part of their address. */
export const SOURCES = {
  payouts: pagesOf("payouts", listOf(PAYOUTS), payoutCells),
  payments: pagesOf("payments", listOf(PAYMENTS), paymentCells),
  topups: pagesOf("topups", listOf(TOPUPS), topupCells),
  statement: statementCsv,
  "statement-camt053": statementCamt,
  "statement-pdf": statementPdfFile,
  "settlement-file": settlementPages,
  audit: auditPages,
} as const;

interface FileType {
  readonly contentType: string;
  readonly extension: string;
}

const CSV: FileType = { contentType: "text/csv; charset=utf-8", extension: "csv" };
const OTHER_TYPES: Partial<Record<ExportKind, FileType>> = {
  "statement-camt053": { contentType: "application/xml; charset=utf-8", extension: "xml" },
  "statement-pdf": { contentType: "application/pdf", extension: "pdf" },
};

/** The type of the file of a kind. */
export function fileTypeOf(kind: ExportKind): FileType {
  return OTHER_TYPES[kind] ?? CSV;
}

/** What a member must be allowed to do besides exporting. */
export const ALSO_REQUIRED: Partial<Record<ExportKind, MemberAct>> = {
  audit: "read_audit",
  "settlement-file": "read_reconciliation",
};

export type ExportKind = keyof typeof SOURCES;
