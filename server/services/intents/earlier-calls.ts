// What a call about an intent has to respect of the calls before it.
import type { Attempt } from "@/server/db/attempts";
import { NeedsOperator } from "@/server/domain/errors";
import type { EarlierCalls, Gateway } from "@/server/psp/gateway";

/** Attempts with these outcomes certainly did not reach the provider's books. */
const WITHOUT_TRACE: ReadonlySet<string | null> = new Set(["never_accepted", "not_sent"]);

/**
 * Returns what is recorded of the calls that can have reached the provider; undefined if none can have. Throws
 * NeedsOperator if one of them went to another account at the provider: "not found" would then prove nothing.
 */
export function earlierCalls(attempts: readonly Attempt[], { name, account }: Gateway): EarlierCalls | undefined {
  const arrived = attempts.filter(({ provider, outcome }) => provider === name && !WITHOUT_TRACE.has(outcome));
  const other = arrived.find((attempt) => attempt.account !== null && attempt.account !== account);
  if (other) {
    throw new NeedsOperator(
      `a call to ${name} went to another account than its present one`,
      `It was sent to account ${other.account} of ${name}, but ${name} is configured for ${account ?? "none"}.`,
    );
  }
  if (arrived.length === 0) return undefined;
  const providerReference = arrived.findLast((attempt) => attempt.providerReference !== null)?.providerReference;
  return { providerReference: providerReference ?? null, account: account ?? null };
}
