// Reading a settlement file: CSV in, checked lines out; a fault names its line and column.
import { createHash } from "node:crypto";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import { isKnownCurrency } from "@/server/domain/currencies";
import { type ServiceError, validationError } from "@/server/domain/errors";
import { parseAmount } from "@/server/domain/money";
import { isBankLine } from "@/server/domain/reconciliation-bank";
import { LINE_KINDS, SETTLEMENT_COLUMNS, type SettlementLine } from "@/server/domain/settlement-line";

/** Lines that one bank transfer settles have the same value here. */
const BATCH_COLUMN = "batch";
type Column = (typeof SETTLEMENT_COLUMNS)[number] | typeof BATCH_COLUMN;

const MAXIMUM_BYTES = 64 * 1024 * 1024;
const PRINTABLE = /^[\x20-\x7e]*$/;
const instant = z.iso.datetime({ offset: true });

/** A row of the file, told by its number, with its cells by column. */
interface Cells {
  readonly row: number;
  cell(column: Column): string;
}

function fault(row: number, column: Column, complaint: string): ServiceError {
  return validationError(`line ${row}, column ${column}:`, complaint);
}

/** The lines of a settlement file (docs/reconciliation.md). Throws validation_failed, naming line and column, on the first fault. */
export function readSettlement(bytes: Uint8Array): SettlementLine[] {
  if (bytes.length > MAXIMUM_BYTES) throw validationError("the file", "must not be larger than 64 MiB");
  const [header, ...rows] = readRows(decode(bytes));
  if (!header) throw validationError("the file", "must start with a line of column names");
  const places = placesOf(header.record);
  return rows.map(({ row, record }) => readLine({ row, cell: (column) => record[places[column] ?? -1] ?? "" }));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw validationError("the file", "must be UTF-8 text");
  }
}

interface CsvRow {
  readonly row: number;
  readonly record: readonly string[];
}

function readRows(text: string): CsvRow[] {
  try {
    const rows = parse(text, { bom: true, info: true, skip_empty_lines: true, trim: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({ row: info.lines, record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = typeof error["lines"] === "number" ? error["lines"] : 1;
    throw validationError(`line ${row}:`, error.message);
  }
}

function placesOf(header: readonly string[]): Readonly<Partial<Record<Column, number>>> {
  const place = (column: Column): readonly [Column, number] => {
    const at = header.indexOf(column);
    if (at < 0) throw fault(1, column, "is missing");
    if (header.lastIndexOf(column) !== at) throw fault(1, column, "is given twice");
    return [column, at];
  };
  const columns: readonly Column[] = header.includes(BATCH_COLUMN)
    ? [...SETTLEMENT_COLUMNS, BATCH_COLUMN]
    : SETTLEMENT_COLUMNS;
  return Object.fromEntries(columns.map(place));
}

function readLine(cells: Cells): SettlementLine {
  const { row } = cells;
  const currency = cells.cell("currency");
  if (!isKnownCurrency(currency)) throw fault(row, "currency", "must be a known currency or token in upper case");
  const kind = LINE_KINDS.find((one) => one === cells.cell("kind"));
  if (!kind) throw fault(row, "kind", `must be one of ${LINE_KINDS.join(", ")}`);
  const fee = readFee(cells, currency);
  if (fee > 0n && (kind === "fee" || isBankLine({ kind }))) {
    throw fault(row, "fee", `must be empty or 0 if the kind is ${kind}`);
  }
  const settledAt = cells.cell("settled_at");
  if (!instant.safeParse(settledAt).success) {
    throw fault(row, "settled_at", "must be an ISO 8601 date and time with an offset");
  }
  const content = {
    lineId: readText(cells, "line_id", 255, true) ?? "",
    kind,
    reference: readText(cells, "reference", 64),
    providerReference: readText(cells, "provider_reference", 255),
    amount: readAmount(cells, currency),
    currency,
    fee,
    settledAt: new Date(settledAt),
    batch: readText(cells, BATCH_COLUMN, 255),
  };
  return { row, digest: digestOf(content), ...content };
}

function readText(cells: Cells, column: Column, maximum: number, isRequired = false): string | null {
  const text = cells.cell(column);
  if (text === "" && isRequired) throw fault(cells.row, column, "must not be empty");
  if (!PRINTABLE.test(text) || text.length > maximum) {
    throw fault(cells.row, column, `must be at most ${maximum} printable ASCII characters`);
  }
  return text === "" ? null : text;
}

function readAmount(cells: Cells, currency: string): bigint {
  const amount = parseAmount(cells.cell("amount"), currency);
  if (amount === null) throw fault(cells.row, "amount", "must be a positive whole number of minor units");
  return amount;
}

function readFee(cells: Cells, currency: string): bigint {
  const text = cells.cell("fee");
  const fee = text === "" || text === "0" ? 0n : parseAmount(text, currency);
  if (fee === null) throw fault(cells.row, "fee", "must be empty, 0 or a whole number of minor units");
  return fee;
}

/** Two lines that say the same have the same digest, whatever file and row they stand in. */
function digestOf({ amount, fee, settledAt, ...rest }: Omit<SettlementLine, "row" | "digest">): string {
  const { lineId, kind, reference, providerReference, currency, batch } = rest;
  const fields = [lineId, kind, reference, providerReference, `${amount}`, currency, `${fee}`, settledAt.toISOString()];
  // Lines without a batch keep the digests they had before there were batches.
  const digested = batch === null ? fields : [...fields, batch];
  return createHash("sha256").update(JSON.stringify(digested)).digest("hex");
}
