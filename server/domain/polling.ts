const SECOND_MS = 1000;
const LONGEST_WAIT_MS = 600 * SECOND_MS;

interface Pace {
  readonly shortestMs: number;
  /** The wait as a share of the time that the intent has stood still. */
  readonly share: number;
}

/**
 * The provider is at work, and its answer is to show within a second for as long as that costs little; or the payer is,
 * and the provider will send word.
 */
const PACE: Readonly<Record<"provider" | "payer", Pace>> = {
  provider: { shortestMs: SECOND_MS / 2, share: 1 / 8 },
  payer: { shortestMs: 15 * SECOND_MS, share: 1 },
};

/**
 * The next time to ask the provider about an intent that has stood still since `since`: a share of that time later, within
 * bounds, so that fresh intents move fast and old ones cost little. Not after `deadline` while that is ahead.
 */
export function nextPollAt(now: Date, since: Date, waitingFor: "provider" | "payer", deadline: Date | null): Date {
  const { shortestMs, share } = PACE[waitingFor];
  const still = now.getTime() - since.getTime();
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(shortestMs, Math.ceil(still * share)));
  const at = now.getTime() + wait;
  return new Date(deadline && deadline.getTime() > now.getTime() ? Math.min(at, deadline.getTime()) : at);
}
