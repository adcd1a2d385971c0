// Polls the provider whose callback only says that something happened.
import { listAttempts } from "@/server/db/attempts";
import type { ProviderOutcome } from "@/server/domain/outcome";
import { deadlineOf, gatewayByName } from "@/server/psp/registry";
import { type AnyIntent, KINDS } from "../intent-kinds";
import { callProvider } from "../intents/call";
import { callHistory } from "../intents/call-history";
import { merchantClock } from "../merchants/settings";

/**
 * The callbacks of all providers wait for a round's slowest poll, so it is cut short; the callback is then tried again, with
 * growing delays.
 */
const LONGEST_POLL_MS = 5_000;

/**
 * Returns the provider's outcomes of the intent as they are now, also after the intent has ended or has left the provider.
 * Throws NeedsOperator if the intent was sent to another account at the provider.
 */
export async function pollHintedIntent(
  { kind: name, intent }: AnyIntent,
  provider: string,
): Promise<readonly ProviderOutcome[]> {
  const gateway = gatewayByName(provider);
  if (!gateway) return [{ kind: "unknown", detail: "the provider is not configured" }];
  const [attempts, clock] = await Promise.all([listAttempts(intent.merchantId, intent.id), merchantClock(intent)]);
  const call = { at: clock(), history: callHistory(attempts, gateway, intent.merchantId) };
  const budgetMs = Math.min(deadlineOf(provider), LONGEST_POLL_MS);
  const answer = await callProvider(provider, (signal) => KINDS[name].query(gateway, intent, signal, call), budgetMs);
  return "kind" in answer ? [answer] : answer;
}

/** Why outcomes of a poll tell nothing about the intent, and whether another poll may tell more; null if they do. */
export function uselessness(
  outcomes: readonly ProviderOutcome[],
): { readonly why: string; readonly isFinal: boolean } | null {
  for (const outcome of outcomes) {
    if (outcome.kind === "unknown") return { why: outcome.detail, isFinal: outcome.needsOperator === true };
    if (outcome.kind === "never_accepted" || outcome.kind === "not_sent")
      return { why: outcome.detail, isFinal: false };
  }
  return null;
}
