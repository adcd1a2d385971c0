// Pages of lists with what the API shows of each intent (interface §4.4, §4.5).
import { type ShownList, shownPayments, shownPayouts, shownTopups } from "@/server/db/intents/shown";
import type { IntentFilter } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import type { Scope } from "@/server/domain/scope";
import { type Page, pageOfRows } from "../page";
import { requireListedCurrency } from "./read";

/**
 * Returns one page of at most `limit` intents after the position, newest first. Throws validation_failed for a currency that is
 * not enabled for the merchant.
 */
type ListShown<Shown> = (
  scope: Scope,
  filter: Omit<IntentFilter, "amount" | "decidableBy">,
  after: PagePosition | null,
  limit: number,
) => Promise<Page<Shown>>;

function listing<Shown>({ list }: ShownList<Shown>): ListShown<Shown> {
  return async (scope, filter, after, limit) => {
    await requireListedCurrency(scope, filter);
    return pageOfRows(await list(scope, filter, after, limit + 1), limit);
  };
}

export const listShownPayments = listing(shownPayments);
export const listShownPayouts = listing(shownPayouts);
export const listShownTopups = listing(shownTopups);
