// Reading a file of payouts: CSV in, lines out.
import { CsvError, parse } from "csv-parse/sync";
import { validationError } from "@/server/domain/errors";
import {
  BATCH_COLUMNS,
  type BatchColumn,
  LONGEST_FILE,
  MAXIMUM_LINES,
  OPTIONAL_BATCH_COLUMN,
} from "@/server/domain/payout-batch";

/** A line as typed, trimmed. */
export interface TypedLine extends Readonly<Record<BatchColumn, string>> {
  /** Its number in the file. */
  readonly line: number;
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Returns the lines of a file with commas or semicolons between its cells. Throws validation_failed for a file that is not
 * CSV, lacks a column, or has no lines or too many.
 */
export function readBatchFile(text: string): TypedLine[] {
  if (text.length > LONGEST_FILE)
    throw validationError("file", `must have at most ${LONGEST_FILE} characters; split it`);
  const [header, ...rows] = parseRows(text);
  const places = placesOf(header?.record ?? []);
  if (rows.length === 0) throw validationError("file", "has no lines below its header");
  if (rows.length > MAXIMUM_LINES) throw validationError("file", `must have at most ${MAXIMUM_LINES} lines; split it`);
  return rows.map(({ record, info }) => {
    const cell = (column: BatchColumn) => record[places.get(column) ?? -1] ?? "";
    const cells = Object.fromEntries(BATCH_COLUMNS.map((column) => [column, cell(column)]));
    return { ...(cells as Record<BatchColumn, string>), line: info.lines };
  });
}

function parseRows(text: string): ParsedRow[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: [",", ";"],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as ParsedRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw validationError("file", `is not CSV: ${error.message}`);
  }
}

/** The place of each column by its name in the header. */
function placesOf(header: readonly string[]): ReadonlyMap<BatchColumn, number> {
  const names = header.map((name) => name.toLowerCase());
  const places = new Map(BATCH_COLUMNS.map((column) => [column, names.indexOf(column)]));
  const missing = BATCH_COLUMNS.filter((column) => column !== OPTIONAL_BATCH_COLUMN && places.get(column) === -1);
  if (missing.length > 0) throw validationError("file", `lacks the column ${missing.join(", ")} in its first line`);
  return places;
}
