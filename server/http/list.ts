// The common part of the list operations: query to filter, page to envelope (interface §2.5, §4.4).
import { parseInstant } from "@/server/contract/instants";
import { DEFAULT_LIMIT, type Page } from "@/server/contract/lists";
import { validationError } from "@/server/domain/errors";
import { type ListOrder, type ListSort, orderOf } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import type { ShownInstant } from "@/server/domain/shown-intents";
import type { PagePosition, Page as Rows } from "@/server/services/page";
import { decodeCursor, encodeCursor } from "./cursor";

interface ListQuery {
  readonly country?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly currency?: string | undefined;
  readonly cursor?: string | undefined;
  readonly merchant_reference?: string | undefined;
  readonly limit?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly payment_method?: string | undefined;
  readonly source_type?: string | undefined;
  readonly sort?: ListSort | undefined;
  /** Of the dashboard only, in minor units. */
  readonly amount_from?: string | undefined;
  readonly amount_to?: string | undefined;
}

interface ListRow {
  readonly id: string;
  readonly createdAt: ShownInstant;
}

/** Cursors are bound to route and sort order: a cursor of the other order is rejected. */
export function orderedRoute(route: string, order: ListOrder): string {
  return order === "newest_first" ? route : `${route}?order=${order}`;
}

/** Returns the filter, order, position and limit of a list query. Throws validation_failed for a foreign cursor. */
export function readListQuery(scope: Scope, route: string, query: ListQuery) {
  const { currency, payment_method, source_type, amount_from: from, amount_to: to } = query;
  const order = orderOf(query.sort);
  return {
    filter: {
      country: query.country,
      createdAfter: toInstant(query.created_after),
      createdBefore: toInstant(query.created_before),
      merchantReference: query.merchant_reference,
      statuses: query.status && [...new Set(query.status)],
      ...(from === undefined && to === undefined
        ? {}
        : { amount: { from: from === undefined ? from : BigInt(from), to: to === undefined ? to : BigInt(to) } }),
      equals: {
        ...(currency === undefined ? {} : { currency }),
        ...(payment_method === undefined ? {} : { payment_method }),
        ...(source_type === undefined ? {} : { source_type }),
      },
    },
    order,
    after: query.cursor === undefined ? null : decodeCursor(scope, orderedRoute(route, order), query.cursor),
    limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit),
  };
}

/** Parses an instant of a body. Throws validation_failed, naming the field. */
export function readInstant(field: string, text: string): Date {
  const instant = parseInstant(text);
  if (!instant) throw validationError(field, "must be an ISO 8601 time with an offset");
  return instant;
}

/** The schema has already checked the text. */
function toInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (parseInstant(text) ?? undefined);
}

const positionOf = ({ id, createdAt }: ListRow): PagePosition => ({ id, createdAt: new Date(createdAt) });

/** Builds the list page envelope. The cursor is the position of the last row shown, or where reading stopped after it. */
export function presentPage<Intent extends ListRow, Resource>(
  scope: Scope,
  route: string,
  page: Rows<Intent>,
  present: (intent: Intent) => Resource,
): Page<Resource> {
  const last: ListRow | undefined = page.readTo ?? page.rows.at(-1);
  return {
    data: page.rows.map(present),
    has_more: page.hasMore,
    next_cursor: page.hasMore && last ? encodeCursor(scope, route, positionOf(last)) : null,
  };
}
