import { payoutCommitter } from "@/server/db/commit/commit";
import { payoutMapping } from "@/server/db/intents/payout-row";
import { payoutIntents } from "@/server/db/intents/stores";
import type { PayoutOutcome } from "@/server/domain/outcome";
import { decideLapse } from "@/server/domain/payout-gate";
import {
  decideOnPayoutOutcome,
  decidePayoutReroute,
  nextPayoutPoll,
  type PayoutIntent,
} from "@/server/domain/payout-intent";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import type { Clock } from "@/server/platform/clock";
import type { PayoutQuery, Uncalled } from "@/server/psp/gateway";
import { openStalledException } from "../exceptions/stuck";
import type { IntentKind } from "../intents/kind";
import { recordTransition } from "../intents/transition";
import { workerContext } from "../intents/worker-context";
import { channelOf } from "../routing/choose";
import { openRecipient } from "./recipient";
import { payoutSubject } from "./routing-subject";
import { screen } from "./screen";

/** Payout intents: money that a merchant sends, behind an approval gate. */
export const PAYOUTS: IntentKind<PayoutIntent, PayoutOutcome> = {
  table: "payout_intent",
  idKind: "payoutIntent",
  statuses: PAYOUT_STATUSES,
  mapping: payoutMapping,
  store: payoutIntents,
  committer: payoutCommitter,
  gate: { isWaiting: ({ status }) => status === "requires_approval", bringForward: lapse },
  safeToFail: false,
  currency: ({ currency }) => currency,
  channel: (intent) => channelOf(payoutSubject(intent, intent)),
  deadline: () => null,
  nextPollAt: nextPayoutPoll,
  prepare: openRecipient,
  screen,
  send: (gateway, intent, signal, { announcedAt, history }) => {
    const recipient = openRecipient(intent);
    return gateway.createPayout({ ...payoutQuery(intent), recipient, ...history, announcedAt }, signal);
  },
  query: (gateway, intent, signal, { at, history }) =>
    gateway.queryPayout({ ...payoutQuery(intent), ...history }, signal, at),
  cancel: () => null,
  decide: (current, outcome, at) => decideOnPayoutOutcome(current, outcome, at),
  decideReroute: decidePayoutReroute,
  decideExpiry: () => ({ kind: "ignored", reason: "a dispatched payout does not expire" }),
};

/** Lapses an unapproved payout after its time limit. One that a provider has reported waits for people instead. */
async function lapse(intent: PayoutIntent, clock: Clock): Promise<void> {
  const at = clock();
  const context = workerContext(intent);
  const decide = (current: PayoutIntent) => decideLapse(current, at);
  const { intent: latest, effect } = await recordTransition(PAYOUTS, intent, decide, { context, at });
  if (effect === "moved" || latest.status !== "requires_approval") return;
  await openStalledException(latest, at);
  await PAYOUTS.store.postpone(latest, nextPayoutPoll(latest, at));
}

/** Builds a provider's query for a payout. */
export function payoutQuery(intent: PayoutIntent): Uncalled<PayoutQuery> {
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
