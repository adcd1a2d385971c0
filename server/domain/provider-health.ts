// What a provider's recent calls and open work say about it.

/** The worst first. `not_configured`: it has open work, which waits. `paused`: the operator holds new work back. */
export type ProviderState = "not_configured" | "paused" | "no_answers" | "late" | "working";

export interface RecentCalls {
  /** Calls that create something at the provider. */
  readonly count: number;
  /** Those of them whose answer was lost, unusable or never came. */
  readonly withoutAnswer: number;
}

interface Signs {
  readonly isConfigured: boolean;
  readonly isPaused: boolean;
  readonly calls: RecentCalls;
  /** Open intents that no worker has followed up in time. */
  readonly overdue: number;
}

/** Fewer lost answers can be chance. */
const LOST_TO_COUNT = 3;

/** Returns the worst state that the signs show. `no_answers`: at least half of the recent calls got none. */
export function providerState({ isConfigured, isPaused, calls, overdue }: Signs): ProviderState {
  if (!isConfigured) return "not_configured";
  if (isPaused) return "paused";
  if (calls.withoutAnswer >= LOST_TO_COUNT && calls.withoutAnswer * 2 >= calls.count) return "no_answers";
  return overdue > 0 ? "late" : "working";
}
