// A page begins at its position or at the time of its filter, whichever comes later in the list.
import { expect, it } from "vitest";
import type { ListOrder } from "@/server/domain/list-order";
import { type PagePosition, withOneStart } from "./list-start";

const at = (hour: number) => new Date(Date.parse("2026-11-01T00:00:00Z") + hour * 3_600_000);
const ROWS: PagePosition[] = [0, 1, 1, 1, 2, 4, 4, 5].map((hour, n) => ({ createdAt: at(hour), id: `id-${n}` }));
const TIMES = [undefined, ...[-1, 0, 1, 2, 3, 4, 5, 6].map(at)];

function shown(
  filter: { readonly createdAfter?: Date | undefined; readonly createdBefore?: Date | undefined },
  after: PagePosition | null,
  order: ListOrder,
): string[] {
  const placeOf = ({ createdAt, id }: PagePosition) => `${createdAt.toISOString()} ${id}`;
  const comesAfter = (row: PagePosition) => {
    if (after === null) return true;
    return order === "newest_first" ? placeOf(row) < placeOf(after) : placeOf(row) > placeOf(after);
  };
  return ROWS.filter(
    (row) =>
      comesAfter(row) &&
      (!filter.createdAfter || row.createdAt >= filter.createdAfter) &&
      (!filter.createdBefore || row.createdAt < filter.createdBefore),
  ).map(({ id }) => id);
}

it.each<ListOrder>(["newest_first", "oldest_first"])("the same rows are shown, %s, by one bound only", (order) => {
  const start = order === "newest_first" ? "createdBefore" : "createdAfter";
  let bounded = 0;
  for (const createdAfter of TIMES) {
    for (const createdBefore of TIMES) {
      for (const position of [null, ...ROWS]) {
        const asked = { createdAfter, createdBefore };
        const { filter, after } = withOneStart(asked, position, order);
        expect(shown(filter, after, order)).toEqual(shown(asked, position, order));
        expect(filter[start] !== undefined && after !== null).toBe(false);
        if (asked[start] !== undefined && position !== null) bounded += 1;
      }
    }
  }
  expect(bounded).toBe(8 * 9 * 8);
});
