// Applies reports that do not answer a call of ours: those of callbacks and the simulator.
import { anotherObject } from "@/server/domain/contradiction";
import { decideOnFormerProvider } from "@/server/domain/former-provider";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { type AnyIntent, KINDS } from "../intent-kinds";
import { recordTransition } from "../intents/transition";
import { merchantClock } from "../merchants/settings";
import { settlementAnswer } from "./settlement-answer";

export interface UpdateResult {
  readonly subject: AnyIntent;
  /** False if every report was old or not applicable. */
  readonly hadEffect: boolean;
}

/** The origin and time of a report. */
export interface Source {
  /** By default the intent's provider. */
  readonly provider?: string;
  /** Database time at which the report was stored; by default now. */
  readonly receivedAt?: Date;
}

/**
 * Records each report in turn. The outcomes must be of the intent's kind. A provider that does not or no longer has the
 * intent cannot change it; money that it reports is booked to suspense.
 */
export async function applyUpdate(
  context: CallContext,
  subject: AnyIntent,
  outcomes: readonly ProviderOutcome[],
  { provider = subject.intent.provider, receivedAt = now() }: Source = {},
): Promise<UpdateResult> {
  const kind = KINDS[subject.kind];
  const clock = await merchantClock(context.scope);
  const waitedMs = Math.max(0, now().getTime() - receivedAt.getTime());
  let intent: IntentCore<string> = subject.intent;
  let hadEffect = false;
  for (const outcome of outcomes) {
    const at = clock();
    const report = { before: subject.intent, reportedAt: new Date(at.getTime() - waitedMs) };
    const decide = (latest: IntentCore<string>) =>
      latest.provider === provider
        ? kind.decide(latest, outcome, at, report)
        : (anotherObject(latest as AnyIntent["intent"], provider, outcome) ??
          decideOnFormerProvider(latest, provider, outcome));
    const answer = await settlementAnswer(intent, provider, outcome);
    const recorded = await recordTransition(kind, intent, decide, { context, at, answer });
    intent = recorded.intent;
    hadEffect ||= recorded.effect !== "none";
  }
  return { subject: { kind: subject.kind, intent } as AnyIntent, hadEffect };
}
