// What an export is read as: rows of a CSV file, or parts of another file.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import type { PagePosition } from "@/server/services/page";

export interface Lines {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of a file that is not CSV, as it is sent. */
interface WrittenPart {
  readonly content: string | Uint8Array;
  /** How many rows of the list it holds. */
  readonly count: number;
}

export interface ExportPage {
  readonly lines: Lines | WrittenPart;
  /** Null ends the file. */
  readonly next: PagePosition | null;
}

/** Who gets the file. */
export interface ExportReader {
  readonly memberId: string;
  readonly language: DashboardLanguage;
}

/** Reads the page after a position; null begins the file. */
export type PageReader = (after: PagePosition | null) => Promise<ExportPage>;

/** Rows of cells with their columns' names, which are those of the first row. */
export function linesOf(rows: readonly (readonly (readonly [column: string, cell: string])[])[]): Lines {
  const columns = (rows[0] ?? []).map(([column]) => column);
  return { columns, rows: rows.map((row) => row.map(([, cell]) => cell)) };
}
