// Owns listing payout intents (interface §4.4).
import type { IntentFilter, PagePosition } from "@/server/db/intents/store";
import { payoutIntents } from "@/server/db/intents/stores";
import type { ListOrder } from "@/server/domain/list-order";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import { type ListPage, listIntents } from "../intents/list";

/**
 * One page by country, currency, time, reference and status; newest first by default.
 * Throws validation_failed for a foreign currency.
 */
export function listPayoutIntents(
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order?: ListOrder,
): Promise<ListPage<PayoutIntent>> {
  return listIntents(payoutIntents, scope, filter, after, limit, order);
}
