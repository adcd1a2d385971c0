// Batches that hold the work of several merchants.
import { type Batcher, type BatcherOptions, createBatcher } from "@/server/platform/batcher";
import { perCell } from "@/server/platform/cell";
import { requireReach, withinMerchants } from "@/server/platform/reach";
import { notAsReport } from "@/server/platform/report-scope";

/**
 * A batcher of each cell, whose statement reaches the rows of its items' merchants and no others. `add` throws OutOfReach for
 * an item of a merchant that the calling work may not reach.
 */
export function createMerchantBatcher<Item, Result>(
  options: BatcherOptions<Item, Result> & { readonly merchantOf: (item: Item) => string },
): Batcher<Item, Result> {
  const { merchantOf, run } = options;
  // A batch runs in the scope of the work that began it, which is another item's of the same cell.
  const batcherOfCell = perCell(() =>
    createBatcher<Item, Result>({
      ...options,
      run: (items) => notAsReport(() => withinMerchants(items.map(merchantOf), () => run(items))),
    }),
  );
  return {
    add(item) {
      requireReach(merchantOf(item));
      return batcherOfCell().add(item);
    },
  };
}
