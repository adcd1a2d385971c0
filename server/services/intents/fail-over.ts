// Giving an intent to the next provider when its own has surely not taken it.

import type { NeverAccepted, NotSent, ProviderOutcome } from "@/server/domain/outcome";
import type { Reroute, RerouteReason } from "@/server/domain/routing";
import type { CallContext } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { type Clock, now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { isOpen } from "@/server/psp/breakers";
import type { Gateway } from "@/server/psp/gateway";
import { isDispatchPaused } from "../dispatch/paused";
import { nextFor } from "../routing/choose";
import { attemptAnswer } from "./attempt-answer";
import type { IntentKind } from "./kind";
import { recordTransition } from "./transition";

/** The work of moving intents of one kind to other providers. */
export interface Rerouting<Intent extends IntentCore<string>, Outcome extends ProviderOutcome> {
  readonly kind: IntentKind<Intent, Outcome>;
  readonly context: CallContext;
  /** The merchant's. */
  readonly clock: Clock;
}

/** A call to a provider that is announced. */
export interface Announced {
  readonly id: string;
  readonly ordinal: number;
  /** The database's time, read before the announcement was written: the call is never younger than it says. */
  readonly announcedAt: Date;
}

export interface Moved<Intent> {
  readonly intent: Intent;
  readonly gateway: Gateway;
  /** The call to make now; null where it was left to the worker. */
  readonly attempt: Announced | null;
}

const REASONS: Readonly<Record<RerouteReason, string>> = {
  never_accepted: "did not accept it",
  not_sent: "could not be reached",
  breaker_open: "is kept from new work after faults",
};

/**
 * After an outcome that leaves no doubt that the provider has nothing: the intent goes to the next one, with its call
 * announced in the same commit unless `announces` is false. Null when the outcome is another, there is no next provider,
 * or something is known or in doubt by now, so that the intent stays where it is.
 */
export async function failOver<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  rerouting: Rerouting<Intent, Outcome>,
  intent: Intent,
  failed: { readonly attempt: Omit<Announced, "announcedAt">; readonly outcome: ProviderOutcome },
  announces = true,
): Promise<Moved<Intent> | null> {
  const { attempt, outcome } = failed;
  if (!isRefusal(outcome)) return null;
  const gateway = nextFor(intent, rerouting.kind.channel(intent), { readyOnly: false });
  if (!gateway || (await isPausedFor(rerouting, intent, gateway.name))) return null;
  const next = { id: newId("attempt"), provider: gateway.name, ordinal: attempt.ordinal + 1 };
  const announcedAt = now();
  const effects = { answer: attemptAnswer(attempt.id, outcome), attempt: announces ? next : null };
  const moved = await move(rerouting, intent, { to: gateway.name, reason: outcome.kind }, effects);
  return moved && { intent: moved, gateway, attempt: announces ? { ...next, announcedAt } : null };
}

function isPausedFor<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  { kind }: Rerouting<Intent, Outcome>,
  intent: Intent,
  provider: string,
): Promise<boolean> {
  const { merchantId } = intent;
  return isDispatchPaused({ table: kind.table, provider, merchantId, currency: kind.currency(intent) });
}

/** Whether an outcome leaves no doubt that the provider has nothing of the call. */
export function isRefusal(outcome: ProviderOutcome): outcome is NeverAccepted | NotSent {
  return outcome.kind === "never_accepted" || outcome.kind === "not_sent";
}

/** Before anything is sent: away from a provider with an open breaker, where another is ready; else the intent as it is. */
export async function avoidOpenBreaker<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>(
  rerouting: Rerouting<Intent, Outcome>,
  intent: Intent,
): Promise<Intent> {
  const channel = rerouting.kind.channel(intent);
  if (!isOpen(intent.provider, channel)) return intent;
  const gateway = nextFor(intent, channel, { readyOnly: true });
  if (!gateway) return intent;
  return (await move(rerouting, intent, { to: gateway.name, reason: "breaker_open" }, {})) ?? intent;
}

/** The intent with its new provider, or null when it did not move. */
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
