// The choices of a list's filters: the values that its rows have, with bounded counts.

import type { ListMapping } from "@/server/db/intents/overview";
import { paymentMapping } from "@/server/db/intents/payment-row";
import { payoutMapping } from "@/server/db/intents/payout-row";
import type { IntentFilter } from "@/server/db/intents/store";
import { topupMapping } from "@/server/db/intents/topup-row";
import { type CountedValue, countValues } from "@/server/db/intents/values";
import type { ViewList } from "@/server/domain/saved-view";
import type { Scope } from "@/server/domain/scope";
import { COUNT_CAP } from "./watch";

const MAPPINGS: Readonly<Record<ViewList, ListMapping>> = {
  payments: paymentMapping,
  payouts: payoutMapping,
  topups: topupMapping,
};

/** Filter of the list → its values, the most frequent ones first. Counts are of the period, and stop at COUNT_CAP. */
export async function filterChoices(
  list: ViewList,
  scope: Scope,
  period: Pick<IntentFilter, "createdAfter" | "createdBefore">,
): Promise<Readonly<Record<string, readonly CountedValue[]>>> {
  const mapping = MAPPINGS[list];
  const filters = ["country", ...Object.keys(mapping.filterColumns)];
  const counted = await Promise.all(
    filters.map(async (filter) => [filter, await countValues(mapping, scope, filter, period, COUNT_CAP)] as const),
  );
  return Object.fromEntries(counted);
}
