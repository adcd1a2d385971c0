// Batches that hold the work of several merchants.
import { type Batcher, type BatcherOptions, createBatcher } from "@/server/platform/batcher";
import { requireReach, withinMerchants } from "@/server/platform/reach";
import { notAsReport } from "@/server/platform/report-scope";

/**
 * A batcher whose statement reaches the rows of its items' merchants and no others. `add` throws OutOfReach for an item of a
 * merchant that the calling work may not reach.
 */
export function createMerchantBatcher<Item, Result>(
  options: BatcherOptions<Item, Result> & { readonly merchantOf: (item: Item) => string },
): Batcher<Item, Result> {
  const { merchantOf, run } = options;
  const batcher = createBatcher<Item, Result>({
    ...options,
    run: (items) => notAsReport(() => withinMerchants(items.map(merchantOf), () => run(items))),
  });
  return {
    add(item) {
      requireReach(merchantOf(item));
      return batcher.add(item);
    },
  };
}
