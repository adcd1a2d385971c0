// Owns listing top-up intents (interface §4.5).
import type { IntentFilter, PagePosition } from "@/server/db/intents/store";
import { topupIntents } from "@/server/db/intents/stores";
import type { ListOrder } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { type ListPage, listIntents } from "../intents/list";

/**
 * One page by country, currency, time, reference, source type and status; newest first by default.
 * Throws validation_failed for a foreign currency.
 */
export function listTopupIntents(
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order?: ListOrder,
): Promise<ListPage<TopupIntent>> {
  return listIntents(topupIntents, scope, filter, after, limit, order);
}
