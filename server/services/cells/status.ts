// The cells of the installation as the operator sees them.
import { type CellFigures, readCellFiguresAcrossMerchants } from "@/server/db/cell-status";
import { readWaitingWorkAcrossMerchants } from "@/server/db/waiting-work";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { parseUrl } from "@/server/platform/url";

export interface ConfiguredCell {
  readonly name: string;
  /** Empty for the first cell. */
  readonly tag: string;
  /** Host and database, without the credentials; null for the embedded Postgres before it runs. */
  readonly database: string | null;
}

export interface CellStatus {
  readonly name: string;
  /** Null if it cannot be used; then `why` says why. */
  readonly figures: CellFigures | null;
  /** Work that is due and not begun, by kind, and the age of the oldest in seconds; at most 10,000 of each kind are counted. */
  readonly overdue: readonly { readonly work: string; readonly count: number; readonly seconds: number }[];
  readonly openExceptions: number;
  readonly why: string | null;
}

/** All configured cells, the first one first. Asks no database. */
export function listCells(): ConfiguredCell[] {
  return allCells().map(({ name, tag, databaseUrl }) => {
    const url = parseUrl(databaseUrl ?? "");
    return { name, tag, database: url && `${url.host}${url.pathname}` };
  });
}

/** The state of each cell, also of those that do not answer. */
export function readCellStatus(): Promise<CellStatus[]> {
  return Promise.all(allCells().map((cell) => inCell(cell, () => statusOf(cell))));
}

async function statusOf({ name }: Cell): Promise<CellStatus> {
  try {
    const [figures, work] = await Promise.all([readCellFiguresAcrossMerchants(), readWaitingWorkAcrossMerchants()]);
    const openExceptions = work.exceptions.reduce((sum, { count }) => sum + count, 0);
    return { name, figures, overdue: work.overdue.filter(({ count }) => count > 0), openExceptions, why: null };
  } catch (error) {
    return { name, figures: null, overdue: [], openExceptions: 0, why: messageOf(error) };
  }
}

/** Postgres's own words. An address with several hosts fails with one error for each. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
