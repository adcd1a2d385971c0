// Reads intents of any kind: one, or a page of a list (interface §4.2, §4.4, §4.5).
import type { IntentFilter } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import { notFoundError } from "@/server/domain/errors";
import type { ListOrder } from "@/server/domain/list-order";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { isId } from "@/server/platform/ids";
import { merchantSettings, requireWalletCurrency } from "../merchants/settings";
import { type Page, pageOfRows } from "../page";
import { listInRange, rangeOf } from "./amount-range";
import type { IntentKind } from "./kind";

/** Returns the intent. Throws the same not_found for foreign, absent and malformed ids. */
export async function getIntent<Intent extends IntentCore<string>>(
  { idKind, store }: Pick<IntentKind<Intent, ProviderOutcome>, "idKind" | "store">,
  scope: Scope,
  id: string,
): Promise<Intent> {
  const intent = isId(idKind, id) ? await store.find(scope, id) : null;
  if (!intent) throw notFoundError();
  return intent;
}

/** Throws validation_failed for a filter whose currency is not enabled for the merchant. */
export async function requireListedCurrency({ merchantId }: Scope, { equals }: IntentFilter): Promise<void> {
  const currency = equals?.currency;
  if (currency) requireWalletCurrency(await merchantSettings(merchantId), "currency", currency);
}

/**
 * Returns one page of at most `limit` whole intents after the position, newest first by default. Throws validation_failed for
 * a currency that is not enabled for the merchant, and for a range of amounts without one.
 */
export async function listIntents<Intent extends IntentCore<string>>(
  { store, mapping }: Pick<IntentKind<Intent, ProviderOutcome>, "store" | "mapping">,
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order?: ListOrder,
): Promise<Page<Intent>> {
  await requireListedCurrency(scope, filter);
  const range = rangeOf(filter);
  if (range) return listInRange({ store, mapping }, scope, filter, range, after, limit, order);
  return pageOfRows(await store.list(scope, filter, after, limit + 1, order), limit);
}
