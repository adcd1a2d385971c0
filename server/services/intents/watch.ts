// Refreshes a shown list of intents: counts per status, the number of newer intents, and the shown intents as they are
// now.
import { countByStatus, countNewer, type ListMapping } from "@/server/db/intents/overview";
import type { IntentFilter } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { countInRange, rangeOf } from "./amount-range";
import type { IntentKind } from "./kind";

/** Counting stops here, so that large lists stay fast: 1000 means "1000 or more". */
export const COUNT_CAP = 1_000;

/** The list as shown on a screen. */
export interface ListState {
  readonly filter: IntentFilter;
  /** The newest row; null for an empty list. */
  readonly newest: PagePosition | null;
  readonly ids: readonly string[];
}

export interface ListUpdate<Intent> {
  /** Per status, the number of intents that pass the other filters, at most COUNT_CAP; null if counting would take long. */
  readonly counts: ReadonlyMap<string, number> | null;
  /** The number of intents that pass the filters and are newer than `newest`, at most COUNT_CAP. */
  readonly newer: number;
  /** The shown intents as they are now. */
  readonly intents: readonly Intent[];
}

/** Returns what has changed in a list since it was shown. */
export async function watchIntents<Intent extends IntentCore<string>>(
  { store, mapping, statuses }: Pick<IntentKind<Intent, ProviderOutcome>, "store" | "mapping" | "statuses">,
  scope: Scope,
  { filter, newest, ids }: ListState,
): Promise<ListUpdate<Intent>> {
  const beginning = newest ?? { createdAt: new Date(0), id: "" };
  const range = rangeOf(filter);
  const [counted, intents] = await Promise.all([
    range
      ? countInRange({ mapping, statuses }, scope, filter, range, beginning, COUNT_CAP)
      : countAll(mapping, scope, filter, statuses, beginning),
    ids.length === 0 ? [] : store.findSome(scope, ids),
  ]);
  return { ...counted, intents };
}

async function countAll(
  mapping: ListMapping,
  scope: Scope,
  filter: IntentFilter,
  statuses: readonly string[],
  than: PagePosition,
) {
  const [counts, newer] = await Promise.all([
    countByStatus(mapping, scope, filter, statuses, COUNT_CAP),
    countNewer(mapping, scope, filter, than, COUNT_CAP),
  ]);
  return { counts, newer };
}
