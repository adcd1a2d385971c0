// The statement that reads one page of a list, and for which of its filters one plan is good for all values.
import type { ListOrder } from "@/server/domain/list-order";
import { type PagePosition, withOneStart } from "../list-start";
import { conditionsOf, type IntentFilter, type Parameter, pageClauses } from "./conditions";
import type { RowMapping } from "./row";

export interface PageRequest {
  readonly filter: IntentFilter;
  readonly after: PagePosition | null;
  readonly order: ListOrder;
  readonly count: number;
}

/** A page of the API with the row that tells whether there is another. */
const SHORT_PAGE = 101;

/**
 * True when the filter's rows are one range of one index whatever its values: at most one value, with or without times.
 * Of two values only one may be rare, and which index is to be read depends on them.
 */
function isOneRange({ country, merchantReference, statuses, equals = {}, decidableBy, amount }: IntentFilter): boolean {
  if (decidableBy !== undefined || amount !== undefined || (statuses && statuses.length > 1)) return false;
  const values = [country, merchantReference, statuses, ...Object.values(equals)];
  return values.filter((value) => value !== undefined).length <= 1;
}

/**
 * `select` with the page's conditions, order and limit. Postgres takes an unknown limit for a tenth of all rows, so that a
 * plan for all values looks dear beside one for these values, and it makes a new one every time: half of its work for a
 * page. Where one plan is enough, a limit that it can see, which no page exceeds, stands inside the real one.
 */
export function listStatement(
  select: string,
  mapping: Pick<RowMapping<never, never>, "filterColumns" | "amountColumn">,
  { filter: asked, after: position, order, count }: PageRequest,
  parameter: Parameter,
): string {
  const { filter, after } = withOneStart(asked, position, order);
  const where = conditionsOf(mapping, filter, parameter);
  const { start, orderBy } = pageClauses(order, after, parameter);
  const rows = `${select}${where}${start} ${orderBy}`;
  if (count > SHORT_PAGE || !isOneRange(filter)) return `${rows} LIMIT ${parameter(count)}`;
  return `SELECT * FROM (${rows} LIMIT ${SHORT_PAGE}) page ${orderBy} LIMIT ${parameter(count)}`;
}
