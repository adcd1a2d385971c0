import type { PagePosition } from "@/server/db/list-start";

export type { PagePosition };

/** A page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Where reading stopped, if that is not the last row. */
  readonly readTo?: PagePosition;
}

/** Builds a page from up to `limit + 1` rows; the extra row shows that more follow. */
export function pageOfRows<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
