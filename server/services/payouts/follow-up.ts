// Owns bringing a due payout intent forward: lapse at the gate, dispatch, asking about what was dispatched.
import type { PayoutOutcome } from "@/server/domain/outcome";
import {
  decideLapse,
  decideOnPayoutOutcome,
  decidePayoutReroute,
  nextPayoutLook,
  type PayoutIntent,
} from "@/server/domain/payout-intent";
import type { Clock } from "@/server/platform/clock";
import type { PayoutQuery, PayoutRequest } from "@/server/psp/gateway";
import { Impassable } from "../exceptions/impassable";
import { openIfStandingStill } from "../exceptions/stuck";
import { followUp, workerContext } from "../intents/follow-up";
import { PAYOUTS, recordTransition } from "../intents/transition";
import { channelOf } from "../routing/channel";
import { openAccount } from "./account";
import { payoutSubject } from "./create";

/** Lets an unapproved payout lapse; dispatches an approved one, or asks the provider how it stands. */
export async function followUpPayout(intent: PayoutIntent, clock: Clock): Promise<void> {
  if (intent.status === "requires_approval") {
    await lapse(intent, clock);
    return;
  }
  const query = payoutQuery(intent);
  let recipient: PayoutRequest["recipient"] | null = null;
  await followUp<PayoutIntent, PayoutOutcome>({
    kind: PAYOUTS,
    intent,
    clock,
    deadline: () => null,
    safeToFail: false,
    prepare: () => {
      recipient = openRecipient(intent);
    },
    currency: intent.currency,
    channel: channelOf(payoutSubject(intent, intent)),
    send: (gateway, _, signal, announcedAt) =>
      gateway.createPayout({ ...query, recipient: recipient ?? openRecipient(intent), announcedAt }, signal),
    query: (gateway, _, signal, at) => gateway.queryPayout(query, signal, at),
    cancel: () => null,
    decideReroute: decidePayoutReroute,
    decide: decideOnPayoutOutcome,
    decideExpiry: () => ({ kind: "ignored", reason: "a dispatched payout does not expire" }),
    nextLook: nextPayoutLook,
  });
}

/** A payout that a provider has reported does not lapse: it waits at the gate for people. */
async function lapse(intent: PayoutIntent, clock: Clock): Promise<void> {
  const at = clock();
  const context = workerContext(intent);
  const decide = (current: PayoutIntent) => decideLapse(current, at);
  const { intent: latest, effect } = await recordTransition(PAYOUTS, intent, decide, { context, at });
  if (effect === "moved" || latest.status !== "requires_approval") return;
  await openIfStandingStill(latest, at);
  await PAYOUTS.store.postpone(latest, nextPayoutLook(latest, at));
}

/** What a provider is told when asked about a payout. */
export function payoutQuery(intent: PayoutIntent): PayoutQuery {
  return {
    reference: intent.dispatchReference,
    merchantId: intent.merchantId,
    environment: intent.environment,
    createdAt: intent.createdAt,
    amount: intent.amount,
    currency: intent.currency,
    country: intent.country,
  };
}

function openRecipient(intent: PayoutIntent) {
  const { bankCode, holderName } = intent.recipient;
  try {
    return { accountNumber: openAccount(intent), bankCode, holderName };
  } catch (error) {
    throw new Impassable(
      String(error),
      "Its account number cannot be opened: the secret it was stored under is missing.",
    );
  }
}
