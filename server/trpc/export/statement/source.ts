// The files of a wallet's statement: CSV, camt.053 and PDF, from one reading, the oldest line first.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import type { Scope } from "@/server/domain/scope";
import { parseQuery } from "@/server/http/query";
import { validate } from "@/server/http/validate";
import { now } from "@/server/platform/clock";
import { merchantClock, merchantSettings } from "@/server/services/merchants/settings";
import type { PagePosition } from "@/server/services/page";
import {
  type AccountStatement,
  openStatement,
  readStatementPart,
} from "@/server/services/statements/account-statement";
import { timeZone } from "../../time-zone";
import { fromPosition, periodOf, statementQuery, toPosition } from "../../wallet-statement";
import { balanceCells, statementCells } from "../cells";
import { type ExportPage, type ExportReader, linesOf, type PageReader } from "../page-reader";
import { CAMT_END, camtBeginning, camtEntry, requireCamt } from "./camt053";
import type { AccountLine, StatementHead } from "./document";
import { requirePdf, statementPdf } from "./pdf";

const PAGE = 500;

const fileQuery = statementQuery.omit({ cursor: true }).extend({ time_zone: timeZone.optional() });

interface OpenFile {
  readonly statement: AccountStatement;
  readonly head: StatementHead;
}

interface FilePart extends OpenFile {
  readonly lines: readonly AccountLine[];
  readonly isFirst: boolean;
  readonly next: PagePosition | null;
}

/** Reads a statement part by part; the first reading fixes its lines, balances and totals. */
function partsOf(
  scope: Scope,
  url: URL,
  language: DashboardLanguage,
): (after: PagePosition | null) => Promise<FilePart> {
  const query = validate(fileQuery, parseQuery(url, new Set(Object.keys(fileQuery.shape))).values, "query");
  const period = periodOf(scope, query);
  let opened: OpenFile | null = null;

  async function open(): Promise<OpenFile> {
    const [{ name }, clock] = [await merchantSettings(scope.merchantId), await merchantClock(scope)];
    const statement = await openStatement(period);
    const [first] = (await readStatementPart(statement, null, 1)).lines;
    // A period that has not ended yet is stated until now.
    const to = period.to && period.to < clock() ? period.to : clock();
    const from = period.from ?? first?.at ?? to;
    const { currency, account } = period;
    const merchant = { id: scope.merchantId, name };
    const zone = query.time_zone ?? "UTC";
    const { environment } = scope;
    const { opening, closing, total, kinds } = statement;
    const sums = { opening, closing, total, kinds };
    return {
      statement,
      head: { ...sums, merchant, environment, account, currency, from, to, createdAt: now(), timeZone: zone, language },
    };
  }

  return async (after) => {
    opened ??= await open();
    const { lines, next } = await readStatementPart(opened.statement, after && fromPosition(after), PAGE);
    requireSum(opened.statement, lines.at(-1)?.balance, next === null);
    return { ...opened, lines, isFirst: after === null, next: next && toPosition(next) };
  };
}

/** The last line must end at the closing balance: otherwise the file would be wrong, and its reading breaks off. */
function requireSum({ closing, opening }: AccountStatement, reached = opening, isLast: boolean): void {
  if (isLast && reached !== closing) throw new Error("the lines of a statement do not add up to its closing balance");
}

/** The statement as CSV: a line for the opening balance, the movements, and a line for the closing balance. */
export function statementCsv(scope: Scope, url: URL, { language }: ExportReader): PageReader {
  const read = partsOf(scope, url, language);
  return async (after) => {
    const { head, lines, isFirst, next } = await read(after);
    const opening = isFirst ? [balanceCells("opening", head.opening, head.from, head.currency)] : [];
    const closing = next === null ? [balanceCells("closing", head.closing, head.to, head.currency)] : [];
    const rows = lines.map((line) => statementCells(line, head.currency));
    return { lines: linesOf([...opening, ...rows, ...closing]), next };
  };
}

/** The statement as camt.053.001.08. */
export function statementCamt(scope: Scope, url: URL, { language }: ExportReader): PageReader {
  const read = partsOf(scope, url, language);
  return async (after) => {
    const { head, lines, isFirst, next } = await read(after);
    if (isFirst) requireCamt(head.currency, head);
    const beginning = isFirst ? camtBeginning(head, crypto.randomUUID().replaceAll("-", "")) : "";
    const entries = lines.map((line) => camtEntry(line, head)).join("");
    return { lines: { content: beginning + entries + (next === null ? CAMT_END : ""), count: lines.length }, next };
  };
}

/** The statement as one PDF. */
export function statementPdfFile(scope: Scope, url: URL, { language }: ExportReader): PageReader {
  const read = partsOf(scope, url, language);
  return async (): Promise<ExportPage> => {
    const first = await read(null);
    requirePdf(first.head);
    let count = 0;
    async function* parts() {
      for (let part: FilePart | null = first; part; part = part.next && (await read(part.next))) {
        count += part.lines.length;
        yield part.lines;
      }
    }
    return { lines: { content: await statementPdf(first.head, parts()), count }, next: null };
  };
}
