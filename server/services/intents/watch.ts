// Watching a list of intents: how many there are per status, how many are newer than what is shown, what has changed.
import { countByStatus, countNewer } from "@/server/db/intents/overview";
import type { IntentFilter, PagePosition } from "@/server/db/intents/store";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import type { IntentKind } from "./kind";

/** Counting stops here: "1000" reads as "at least so many", and a large list stays as quick as a small one. */
export const COUNT_CAP = 1_000;

/** What is on somebody's screen. */
export interface Shown {
  readonly filter: IntentFilter;
  /** The newest row; null for an empty list. */
  readonly newest: PagePosition | null;
  readonly ids: readonly string[];
}

export interface Watched<Intent> {
  /** Status → how many pass the other filters, at most COUNT_CAP. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many pass the filters and are newer than the newest shown. */
  readonly newer: number;
  /** The shown intents as they are now. */
  readonly intents: readonly Intent[];
}

/** What has changed in a list of one kind since it was shown. */
export async function watchIntents<Intent extends IntentCore<string>>(
  { store, mapping, statuses }: Pick<IntentKind<Intent, ProviderOutcome>, "store" | "mapping" | "statuses">,
  scope: Scope,
  { filter, newest, ids }: Shown,
): Promise<Watched<Intent>> {
  const beginning = newest ?? { createdAt: new Date(0), id: "" };
  const [counts, newer, intents] = await Promise.all([
    countByStatus(mapping, scope, filter, statuses, COUNT_CAP),
    countNewer(mapping, scope, filter, beginning, COUNT_CAP),
    ids.length === 0 ? [] : store.findSome(scope, ids),
  ]);
  return { counts, newer, intents };
}
