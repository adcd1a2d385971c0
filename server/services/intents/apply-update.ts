// Owns applying news that did not come as the answer to our own call: callbacks and the simulator.
import { paymentIntents, payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { type Asked, anotherObject } from "@/server/domain/contradiction";
import { decideOnFormerProvider } from "@/server/domain/former-provider";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import { decideOnPaymentOutcome, type PaymentIntent } from "@/server/domain/payment-intent";
import { decideOnPayoutOutcome, type PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { decideOnTopupOutcome, type TopupIntent } from "@/server/domain/topup-intent";
import type { Decision, IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { namesKind } from "@/server/platform/dispatch-reference";
import { isId } from "@/server/platform/ids";
import { merchantClock } from "../merchants/clock";
import { settlementAnswer } from "./settlement-answer";
import { type IntentKind, PAYMENTS, PAYOUTS, recordTransition, TOPUPS } from "./transition";

/** An intent of any kind, told apart by the kind's name. */
export type AnyIntent =
  | { readonly kind: "payment_intent"; readonly intent: PaymentIntent }
  | { readonly kind: "payout_intent"; readonly intent: PayoutIntent }
  | { readonly kind: "topup_intent"; readonly intent: TopupIntent };

/** The intent that an id of any kind names, whatever its environment; null when the merchant has none. */
export async function findAnyIntent(merchantId: string, id: string): Promise<AnyIntent | null> {
  if (isId("paymentIntent", id)) {
    const intent = await paymentIntents.findOfMerchant(merchantId, id);
    return intent && { kind: "payment_intent", intent };
  }
  if (isId("payoutIntent", id)) {
    const intent = await payoutIntents.findOfMerchant(merchantId, id);
    return intent && { kind: "payout_intent", intent };
  }
  if (isId("topupIntent", id)) {
    const intent = await topupIntents.findOfMerchant(merchantId, id);
    return intent && { kind: "topup_intent", intent };
  }
  return null;
}

/** The intent that providers know under the reference, whatever its environment; null when the merchant has none. */
export async function findDispatchedIntent(merchantId: string, reference: string): Promise<AnyIntent | null> {
  if (namesKind("paymentIntent", reference)) {
    const intent = await paymentIntents.findDispatched(merchantId, reference);
    return intent && { kind: "payment_intent", intent };
  }
  if (namesKind("payoutIntent", reference)) {
    const intent = await payoutIntents.findDispatched(merchantId, reference);
    return intent && { kind: "payout_intent", intent };
  }
  if (namesKind("topupIntent", reference)) {
    const intent = await topupIntents.findDispatched(merchantId, reference);
    return intent && { kind: "topup_intent", intent };
  }
  return null;
}

export interface Applied {
  readonly subject: AnyIntent;
  /** False when every piece was old or out of place. */
  readonly hadEffect: boolean;
}

/** Where news comes from, and when. */
export interface Source {
  /** By default the provider that has the intent. */
  readonly provider?: string;
  /** Database time at which the news was stored; by default now. */
  readonly receivedAt?: Date;
}

/**
 * Records each piece of news in turn. The outcomes must be of the intent's kind. A provider that does not have the intent,
 * or no longer, cannot move it: money it reports is kept apart.
 */
export async function applyNews(
  context: CallContext,
  subject: AnyIntent,
  outcomes: readonly (PaymentOutcome | PayoutOutcome | TopupOutcome)[],
  { provider = subject.intent.provider, receivedAt = now() }: Source = {},
): Promise<Applied> {
  switch (subject.kind) {
    case "payment_intent": {
      const { intent, hadEffect } = await applyTo(
        PAYMENTS,
        context,
        subject.intent,
        { provider, receivedAt, outcomes: outcomes as PaymentOutcome[] },
        (latest, outcome, at) => decideOnPaymentOutcome(latest, outcome, at, subject.intent.payerActedAt),
      );
      return { subject: { kind: "payment_intent", intent }, hadEffect };
    }
    case "payout_intent": {
      const { intent, hadEffect } = await applyTo(
        PAYOUTS,
        context,
        subject.intent,
        { provider, receivedAt, outcomes: outcomes as PayoutOutcome[] },
        decideOnPayoutOutcome,
      );
      return { subject: { kind: "payout_intent", intent }, hadEffect };
    }
    case "topup_intent": {
      const { intent, hadEffect } = await applyTo(
        TOPUPS,
        context,
        subject.intent,
        { provider, receivedAt, outcomes: outcomes as TopupOutcome[] },
        decideOnTopupOutcome,
      );
      return { subject: { kind: "topup_intent", intent }, hadEffect };
    }
  }
}

interface News<Outcome> {
  readonly provider: string;
  readonly receivedAt: Date;
  readonly outcomes: readonly Outcome[];
}

async function applyTo<
  Intent extends IntentCore<string> & Asked,
  Outcome extends PaymentOutcome | PayoutOutcome | TopupOutcome,
>(
  kind: IntentKind<Intent>,
  context: CallContext,
  intent: Intent,
  { provider, receivedAt, outcomes }: News<Outcome>,
  decide: (current: Intent, outcome: Outcome, at: Date, reportedAt: Date) => Decision<Intent>,
): Promise<{ intent: Intent; hadEffect: boolean }> {
  const clock = await merchantClock(context.scope);
  const waitedMs = Math.max(0, now().getTime() - receivedAt.getTime());
  let current = intent;
  let hadEffect = false;
  for (const outcome of outcomes) {
    const at = clock();
    const reportedAt = new Date(at.getTime() - waitedMs);
    const decideNow = (latest: Intent) =>
      latest.provider === provider
        ? decide(latest, outcome, at, reportedAt)
        : (anotherObject(latest, provider, outcome) ?? decideOnFormerProvider(latest, provider, outcome));
    const answer = await settlementAnswer(current, provider, outcome);
    const recorded = await recordTransition(kind, current, decideNow, { context, at, answer });
    current = recorded.intent;
    hadEffect ||= recorded.effect !== "none";
  }
  return { intent: current, hadEffect };
}
