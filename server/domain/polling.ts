// When the worker polls an intent's provider next: by who has to act, and by how the provider reports changes.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How changes of an accepted intent reach us. polls: only by polling, as far as we know. callbacks: the provider also sends
 * callbacks, and did so a short time ago. here: only through this service, as with the sandbox.
 */
export type Reporting = "polls" | "callbacks" | "here";

/**
 * What an open intent waits for. acceptance: a conclusive answer to its creation. decision: the provider, which has
 * accepted it and is at work. payer: the payer.
 */
export type Awaited = "acceptance" | "decision" | "payer";

interface Pace {
  readonly shortestMs: number;
  /** The wait as a share of the time that the intent has stood still. */
  readonly share: number;
  readonly longestMs: number;
}

/** The provider's answer is to show within a second, as long as that costs little. */
const AT_WORK: Pace = { shortestMs: SECOND_MS / 2, share: 1 / 8, longestMs: 10 * MINUTE_MS };
const AWAITING_PAYER: Pace = { shortestMs: 15 * SECOND_MS, share: 1, longestMs: 10 * MINUTE_MS };
/** Polls only find lost callbacks: after 5 minutes, 30 minutes and 3 hours, then every 6 hours. */
const AWAITING_CALLBACK: Pace = { shortestMs: 5 * MINUTE_MS, share: 5, longestMs: 6 * HOUR_MS };
/** Nothing can change before the deadline. */
const UNCHANGING: Pace = { shortestMs: 6 * HOUR_MS, share: 0, longestMs: 6 * HOUR_MS };

/**
 * An intent without an answer may have been lost on the way, so nobody would send a callback about it. While a provider
 * decides, it can let the payer pay again, which only a poll finds.
 */
const PACES: Readonly<Record<Awaited, Readonly<Record<Reporting, Pace>>>> = {
  acceptance: { polls: AT_WORK, callbacks: AT_WORK, here: AT_WORK },
  decision: { polls: AT_WORK, callbacks: AWAITING_PAYER, here: UNCHANGING },
  payer: { polls: AWAITING_PAYER, callbacks: AWAITING_CALLBACK, here: UNCHANGING },
};

/** What the next poll depends on. */
export interface Standing {
  readonly awaited: Awaited;
  /** Since when the intent has stood still. */
  readonly since: Date;
  readonly reporting: Reporting;
  /** The intent is polled at this time at the latest, if it is ahead; null for none. */
  readonly deadline: Date | null;
}

/** The next time to poll: a share of the time that the intent has stood still from `now`, within the bounds of its pace. */
export function nextPollAt(now: Date, { awaited, since, reporting, deadline }: Standing): Date {
  const { shortestMs, share, longestMs } = PACES[awaited][reporting];
  const still = now.getTime() - since.getTime();
  const wait = Math.min(longestMs, Math.max(shortestMs, Math.ceil(still * share)));
  const at = now.getTime() + wait;
  return new Date(deadline && deadline.getTime() > now.getTime() ? Math.min(at, deadline.getTime()) : at);
}

/** The provider may close an intent a moment after the time that it named. */
const CLOSES_WITHIN_MS = 2 * SECOND_MS;

/**
 * The standing of an intent whose payer may pay until `until`, by the provider's own instructions, if that is before
 * `deadline`. Such an intent is polled when its time is over. If the provider reports it as open even then, the callback of
 * its end may be lost: it is polled as if the provider sent none.
 */
export function awaitingPayer(now: Date, since: Date, until: Date, deadline: Date, reporting: Reporting): Standing {
  const closed = new Date(until.getTime() + CLOSES_WITHIN_MS);
  if (closed >= deadline) return { awaited: "payer", since, reporting, deadline };
  if (closed > now) return { awaited: "payer", since, reporting, deadline: closed };
  return { awaited: "payer", since: closed > since ? closed : since, reporting: "polls", deadline };
}
