// Owns listing intents of any kind: newest first unless asked otherwise, page by page, in one scope (interface §4.4, §4.5).
import type { IntentFilter, IntentStore, PagePosition } from "@/server/db/intents/store";
import type { ListOrder } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { requireEnabledCurrency } from "../merchants/currencies";
import { merchantSettings } from "../merchants/settings";

export type { PagePosition } from "@/server/db/intents/store";

export interface ListPage<Intent> {
  readonly intents: readonly Intent[];
  readonly hasMore: boolean;
}

/**
 * One page of at most `limit` intents after the position. Reads one row more than asked to know whether there is more.
 * Throws validation_failed for a currency that is not enabled for the merchant.
 */
export async function listIntents<Intent extends IntentCore<string>>(
  store: IntentStore<Intent>,
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order?: ListOrder,
): Promise<ListPage<Intent>> {
  const currency = filter.equals?.currency;
  if (currency) requireEnabledCurrency(await merchantSettings(scope.merchantId), "currency", currency);
  return pageOfRows(await store.list(scope, filter, after, limit + 1, order), limit);
}

/** The page that rows make, of which one more than `limit` was asked for. */
export function pageOfRows<Row>(rows: readonly Row[], limit: number): ListPage<Row> {
  return { intents: rows.slice(0, limit), hasMore: rows.length > limit };
}
