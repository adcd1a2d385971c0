// Moves an intent to the next provider when its own has certainly not accepted it.

import type { AnnouncedCall } from "@/server/db/commit/calls";
import type { NeverAccepted, NotSent, ProviderOutcome } from "@/server/domain/outcome";
import type { Reroute, RerouteReason } from "@/server/domain/routing";
import type { CallContext } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { type Clock, now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { isOpen } from "@/server/psp/breakers";
import type { Gateway } from "@/server/psp/gateway";
import { breakerChannel } from "@/server/psp/registry";
import { isDispatchPaused } from "../dispatch/paused";
import { nextFor } from "../routing/choose";
import { attemptAnswer } from "./attempt-answer";
import { callHistory } from "./call-history";
import type { IntentKind } from "./kind";
import { recordTransition } from "./transition";

/** What rerouting needs besides the intent. */
export interface Rerouting<Intent extends IntentCore<string>, Outcome extends ProviderOutcome> {
  readonly kind: IntentKind<Intent, Outcome>;
  readonly context: CallContext;
  /** The merchant's. */
  readonly clock: Clock;
}

/** An announced call to a provider. */
export interface AnnouncedAttempt {
  readonly id: string;
  readonly ordinal: number;
  /** Database time, read before the announcement was written: the call is never made earlier than this. */
  readonly announcedAt: Date;
}

export interface ReroutedIntent<Intent> {
  readonly intent: Intent;
  readonly gateway: Gateway;
  /** The call to make now; null if the worker makes it. */
  readonly attempt: AnnouncedAttempt | null;
}

const REASONS: Readonly<Record<RerouteReason, string>> = {
  never_accepted: "did not accept it",
  not_sent: "could not be reached",
  breaker_open: "receives no new work after repeated faults",
};

/**
 * Moves the intent to the next provider after a certain refusal. Announces the next call in the same commit, unless
 * `announces` is false. Returns null if the intent stays: the outcome is no certain refusal, there is no next provider,
 * dispatch to it is paused, or a provider may have accepted the intent by now.
 */
export async function failOver<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  rerouting: Rerouting<Intent, Outcome>,
  intent: Intent,
  failed: { readonly attempt: Omit<AnnouncedAttempt, "announcedAt">; readonly outcome: ProviderOutcome },
  announces = true,
): Promise<ReroutedIntent<Intent> | null> {
  const { attempt, outcome } = failed;
  if (!isRefusal(outcome)) return null;
  const gateway = nextFor(intent, rerouting.kind.channel(intent), { readyOnly: false });
  if (!gateway || (await isPausedFor(rerouting, intent, gateway.name))) return null;
  const next = { ...firstCallTo(gateway, intent), ordinal: attempt.ordinal + 1 };
  const announcedAt = now();
  const effects = { answer: attemptAnswer(attempt.id, outcome), attempt: announces ? next : null };
  const moved = await move(rerouting, intent, { to: gateway.name, reason: outcome.kind }, effects);
  return moved && { intent: moved, gateway, attempt: announces ? { ...next, announcedAt } : null };
}

/** Returns the announcement of the first call about an intent to a provider. */
export function firstCallTo(gateway: Gateway, { merchantId }: { readonly merchantId: string }): AnnouncedCall {
  const { name: provider, account } = gateway;
  return { id: newId("attempt"), provider, account, subAccount: callHistory([], gateway, merchantId).subAccount };
}

function isPausedFor<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind }: Rerouting<Intent, Outcome>,
  intent: Intent,
  provider: string,
): Promise<boolean> {
  const { merchantId } = intent;
  return isDispatchPaused({ table: kind.table, provider, merchantId, currency: kind.currency(intent) });
}

/** True if the outcome proves that the provider did not accept the call. */
export function isRefusal(outcome: ProviderOutcome): outcome is NeverAccepted | NotSent {
  return outcome.kind === "never_accepted" || outcome.kind === "not_sent";
}

/** Before the first call: moves the intent away from a provider with an open breaker, if another provider is ready. */
export async function avoidOpenBreaker<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  rerouting: Rerouting<Intent, Outcome>,
  intent: Intent,
): Promise<Intent> {
  const channel = rerouting.kind.channel(intent);
  if (!isOpen(intent.provider, breakerChannel(intent.provider, channel, intent.merchantId))) return intent;
  const gateway = nextFor(intent, channel, { readyOnly: true });
  if (!gateway) return intent;
  return (await move(rerouting, intent, { to: gateway.name, reason: "breaker_open" }, {})) ?? intent;
}

/** Returns the intent with its new provider, or null if it did not move. */
async function move<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind, context, clock }: Rerouting<Intent, Outcome>,
  intent: Intent,
  reroute: Reroute,
  effects: Pick<Parameters<typeof recordTransition<Intent>>[3], "answer" | "attempt">,
): Promise<Intent | null> {
  const at = clock();
  const { provider } = intent;
  const recorded = await recordTransition<Intent>(
    kind,
    intent,
    (current) =>
      current.provider === provider
        ? kind.decideReroute(current, reroute, at)
        : { kind: "ignored", reason: "it has gone to another provider already" },
    { ...effects, context, at, reason: `${provider} ${REASONS[reroute.reason]}; goes to ${reroute.to}.` },
  );
  return recorded.effect === "moved" ? recorded.intent : null;
}
