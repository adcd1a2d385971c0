// Pages and counts of intents whose amount is in a range.
import {
  type AmountBounds,
  findInRange,
  findPassing,
  findStretchEnd,
  type ListedIntent,
} from "@/server/db/intents/amount-range";
import { countNewer, type ListMapping } from "@/server/db/intents/overview";
import type { IntentFilter, IntentStore } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import { validationError } from "@/server/domain/errors";
import type { ListOrder } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import type { Page } from "../page";

/** How much is read for a page, whatever the list holds. */
interface Reach {
  /** Up to this many intents of a range are read by their ids; of more, a page reads stretches of the list. */
  readonly few: number;
  /** The intents of a stretch. */
  readonly stretch: number;
  /** A page reads at most this many stretches, and then says where it stopped. */
  readonly stretches: number;
}
const REACH: Reach = { few: 2_000, stretch: 20_000, stretches: 5 };

/** No amount has more digits. */
const HIGHEST = 10n ** 30n;

interface Listed<Intent> {
  readonly store: Pick<IntentStore<Intent>, "findSome" | "list">;
  readonly mapping: ListMapping;
}

/**
 * The range of a filter that is to be read here; null for one without a range, and for the queue of a member, which is
 * read whole in any case. Throws validation_failed for a range without a currency, and for one that ends before it begins.
 */
export function rangeOf({ amount, equals, decidableBy }: IntentFilter): AmountBounds | null {
  if (!amount) return null;
  const currency = equals?.currency;
  const named = amount.from === undefined ? "amount_to" : "amount_from";
  if (currency === undefined) throw validationError(named, "needs a currency");
  const { from = 0n, to = HIGHEST } = amount;
  if (from > to) throw validationError("amount_from", "must not be above amount_to");
  return decidableBy === undefined ? { currency, from, to } : null;
}

/** A page of at most `limit`. It may have fewer and still say that more follow: then it read as much as one page may. */
export async function listInRange<Intent extends { readonly id: string; readonly createdAt: Date }>(
  { store, mapping }: Listed<Intent>,
  scope: Scope,
  filter: IntentFilter,
  range: AmountBounds,
  after: PagePosition | null,
  limit: number,
  order: ListOrder = "newest_first",
  reach = REACH,
): Promise<Page<Intent>> {
  const ids = await findInRange(scope, mapping.table, range, reach.few);
  if (ids === null) return listByStretches({ store, mapping }, scope, filter, after, limit, order, reach);
  const passing = (await findPassing(mapping, scope, filter, ids)).sort(inOrder(order));
  const following = after ? passing.filter((one) => inOrder(order)(one, after) > 0) : passing;
  const shown = following.slice(0, limit);
  const found =
    shown.length === 0
      ? []
      : await store.findSome(
          scope,
          shown.map(({ id }) => id),
        );
  return { rows: [...found].sort(inOrder(order)), hasMore: following.length > limit };
}

async function listByStretches<Intent extends { readonly id: string; readonly createdAt: Date }>(
  { store, mapping }: Listed<Intent>,
  scope: Scope,
  filter: IntentFilter,
  after: PagePosition | null,
  limit: number,
  order: ListOrder,
  { stretch, stretches }: Reach,
): Promise<Page<Intent>> {
  const rows: Intent[] = [];
  let place = after;
  for (let read = 0; read < stretches; read += 1) {
    const end = await findStretchEnd(mapping, scope, filter, order, place, stretch);
    const within = { ...filter, upTo: end ?? undefined, order };
    const missing = limit + 1 - rows.length;
    rows.push(...(await store.list(scope, within, place, missing, order)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), hasMore: true };
    if (end === null) return { rows, hasMore: false };
    place = end;
  }
  return { rows, hasMore: true, ...(place ? { readTo: place } : {}) };
}

/** The order of a list as a comparison. */
function inOrder(order: ListOrder): (one: PagePosition, other: PagePosition) => number {
  const sign = order === "newest_first" ? -1 : 1;
  return (one, other) => {
    const difference = one.createdAt.getTime() - other.createdAt.getTime();
    if (difference !== 0) return sign * difference;
    return one.id === other.id ? 0 : sign * (one.id < other.id ? -1 : 1);
  };
}

export interface RangeCounts {
  /** By status, whatever statuses the filter has; null if they are more than one reads. */
  readonly counts: ReadonlyMap<string, number> | null;
  /** Newer ones that pass the filter; of more than a stretch, those of the newest stretch. */
  readonly newer: number;
}

/** Counts beside a list of a range; each stops at `cap`. */
export async function countInRange(
  { mapping, statuses }: { readonly mapping: ListMapping; readonly statuses: readonly string[] },
  scope: Scope,
  filter: IntentFilter,
  range: AmountBounds,
  newest: PagePosition,
  cap: number,
  { few, stretch } = REACH,
): Promise<RangeCounts> {
  const ids = await findInRange(scope, mapping.table, range, few);
  if (ids === null) {
    const end = await findStretchEnd(mapping, scope, filter, "newest_first", null, stretch);
    const than = end && inOrder("oldest_first")(end, newest) > 0 ? end : newest;
    return { counts: null, newer: await countNewer(mapping, scope, filter, than, cap) };
  }
  const passing = await findPassing(mapping, scope, { ...filter, statuses: undefined }, ids);
  const count = (passes: (one: ListedIntent) => boolean) => Math.min(passing.filter(passes).length, cap);
  const isAsked = ({ status }: ListedIntent) => filter.statuses?.includes(status) ?? true;
  return {
    counts: new Map(statuses.map((status) => [status, count((one) => one.status === status)])),
    newer: count((one) => isAsked(one) && inOrder("oldest_first")(one, newest) > 0),
  };
}
