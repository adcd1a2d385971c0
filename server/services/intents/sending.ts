// When something that was sent may be sent again, and when "never accepted" is final.
import type { Attempt } from "@/server/db/attempts";

/** Providers remember a reference for 24 h; within this time they do not execute the same reference twice. */
export const PROVIDER_MEMORY_MS = 23 * 60 * 60 * 1000;
export const MAXIMUM_SENDS = 5;

/**
 * A call without an answer may still reach the provider. Its signature carries the time of its announcement, and
 * providers reject a signature older than 300 s. "Never accepted" is final only this long after the last announcement.
 */
export const CALLS_ARE_DEAD_AFTER_MS = 10 * 60 * 1000;

/** True if no provider can have the intent: every call so far was certainly refused or was never sent. */
export function isUntouched(attempts: readonly Attempt[]): boolean {
  return attempts.every(({ outcome }) => outcome === "never_accepted" || outcome === "not_sent");
}
