// Pages of a log, newest first, whose filters have no index: a page ends after so many rows were looked at, whatever matched.
import type { PagePosition } from "./list-start";

/** The most rows looked at for one page: a filter that matches few costs no long search. */
export const LOOKED_AT = 10_000;

interface Looked {
  /** The newest rows within bounds that have an index; they have the columns `id` and `created_at`. Without order and limit. */
  readonly within: string;
  /** SQL of whether such a row is shown. */
  readonly isShown: string;
  /** SQL of how many rows are looked at, at most. */
  readonly lookedAt: string;
  /** SQL of how many rows are returned, at most. */
  readonly limit: string;
}

/**
 * SQL of the rows that are shown and of the last one looked at, newest first. It reads no further than its limit: the rows are
 * counted as they come, in the order of their index.
 */
export function lookedSql({ within, isShown, lookedAt, limit }: Looked): string {
  return `SELECT * FROM (
       SELECT *, (${isShown}) AS is_shown, row_number() OVER (ORDER BY id DESC) = ${lookedAt} AS is_last
       FROM (${within} ORDER BY id DESC LIMIT ${lookedAt}) newest
     ) looked WHERE is_shown OR is_last ORDER BY id DESC LIMIT ${limit}`;
}

/** Of a row of `lookedSql`. */
interface LookedRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly isShown: boolean;
  /** The last one looked at: there may be more. */
  readonly isLast: boolean;
}

interface LookedPage<Row> {
  readonly entries: readonly Omit<Row, "isShown" | "isLast">[];
  /** Where the next page begins; null after the last. A page may hold fewer rows than asked for, even none. */
  readonly next: PagePosition | null;
}

/** A page of `count` rows at most, of the rows that `lookedSql` with a limit of one more returned. */
export function lookedPage<Row extends LookedRow>(rows: readonly Row[], count: number): LookedPage<Row> {
  const page = rows.slice(0, count);
  const last = page.at(-1);
  const goesOn = rows.length > count || last?.isLast === true;
  return {
    entries: page.filter(({ isShown }) => isShown).map(({ isShown: _, isLast: _last, ...entry }) => entry),
    next: goesOn && last ? { createdAt: last.createdAt, id: last.id } : null,
  };
}
