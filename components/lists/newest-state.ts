// Owns showing each row as it was last heard of, in the place where it was first shown.
import type { ListOrder } from "@/server/domain/list-order";

export interface Row {
  readonly id: string;
  readonly updated_at: string;
}

/** The rows in their order, each in the newest state that any of the later readings gives; of equals the later one. */
export function newestStates<Resource extends Row>(
  rows: readonly Resource[],
  ...readings: readonly (readonly Resource[] | undefined)[]
): Resource[] {
  return rows.map((row) =>
    readings.reduce<Resource>((newest, reading) => {
      const found = reading?.find(({ id }) => id === row.id);
      return found && found.updated_at >= newest.updated_at ? found : newest;
    }, row),
  );
}

/** What a watched list is asked about: the rows in view, and the place of the newest one, which an order has first or last. */
export function shownOf(
  rows: readonly { readonly id: string; readonly created_at: string }[] = [],
  order: ListOrder = "newest_first",
) {
  const newest = rows.at(order === "newest_first" ? 0 : -1);
  return {
    newest: newest ? { id: newest.id, created_at: newest.created_at } : null,
    ids: rows.map(({ id }) => id),
  };
}
