// Shows each row in its latest known state, at its first position.
import type { ListOrder } from "@/server/domain/list-order";

export interface Row {
  readonly id: string;
  readonly updated_at: string;
}

/** The rows in their order, each in its newest state among all readings; of equally new ones, the later wins. */
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

/** The poll of a watched list: the rows in view, and the position of the newest, which the order puts first or last. */
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
