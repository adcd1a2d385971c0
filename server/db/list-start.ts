// Where a page of a list begins: at a position, or at a time of its filter.
import type { ListOrder } from "@/server/domain/list-order";

/** Where a page starts: after this row, in the order of its list. */
export interface PagePosition {
  readonly createdAt: Date;
  readonly id: string;
}

interface Period {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/**
 * Returns the filter and the position without the one of them that the other implies. A position and the filter's time at the
 * same end would both bound the page's beginning. Postgres might begin at the time, and pass over all rows before the position.
 */
export function withOneStart<Filter extends Period>(
  filter: Filter,
  after: PagePosition | null,
  order: ListOrder,
): { readonly filter: Filter; readonly after: PagePosition | null } {
  const { createdAfter, createdBefore } = filter;
  if (after === null) return { filter, after };
  if (order === "newest_first" && createdBefore) {
    const isWithin = after.createdAt < createdBefore;
    return isWithin ? { filter: { ...filter, createdBefore: undefined }, after } : { filter, after: null };
  }
  if (order === "oldest_first" && createdAfter) {
    const isWithin = after.createdAt >= createdAfter;
    return isWithin ? { filter: { ...filter, createdAfter: undefined }, after } : { filter, after: null };
  }
  return { filter, after };
}
