// Owns listing payment intents (interface §4.4).
import type { IntentFilter, PagePosition } from "@/server/db/intents/store";
import { paymentIntents } from "@/server/db/intents/stores";
import type { ListOrder } from "@/server/domain/list-order";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { Scope } from "@/server/domain/scope";
import { type ListPage, listIntents } from "../intents/list";

/**
 * One page by country, currency, time, reference, method and status; newest first by default.
 * Throws validation_failed for a foreign currency.
 */
export function listPaymentIntents(
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order?: ListOrder,
): Promise<ListPage<PaymentIntent>> {
  return listIntents(paymentIntents, scope, filter, after, limit, order);
}
