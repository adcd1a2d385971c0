import { topupCommitter } from "@/server/db/commit/commit";
import { topupIntents } from "@/server/db/intents/stores";
import { topupMapping } from "@/server/db/intents/topup-row";
import type { TopupOutcome } from "@/server/domain/outcome";
import { decideOnTopupOutcome, decideTopupExpiry, nextTopupPoll, type TopupIntent } from "@/server/domain/topup-intent";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import { reportingOf } from "../callbacks/channels";
import type { IntentKind } from "../intents/kind";
import { withNextPoll } from "../intents/next-poll";
import { topupChannel } from "./find-offer";
import { topupRequest } from "./provider-request";

function nextPollAt(intent: TopupIntent, at: Date): Date {
  return nextTopupPoll(intent, at, reportingOf(intent.provider, topupChannel(intent.destinationCurrency)));
}

/** Top-up intents: money with which a merchant funds a wallet. */
export const TOPUPS: IntentKind<TopupIntent, TopupOutcome> = {
  table: "topup_intent",
  idKind: "topupIntent",
  statuses: TOPUP_STATUSES,
  mapping: topupMapping,
  store: topupIntents,
  committer: topupCommitter,
  gate: null,
  safeToFail: true,
  currency: ({ destinationCurrency }) => destinationCurrency,
  channel: ({ destinationCurrency }) => topupChannel(destinationCurrency),
  deadline: ({ status, expiresAt }) => (status === "requires_payment" ? expiresAt : null),
  nextPollAt,
  send: (gateway, intent, signal, { announcedAt, history }) =>
    gateway.createTopup({ ...topupRequest(intent), ...history, announcedAt }, signal),
  query: (gateway, intent, signal, { at, history }) =>
    gateway.queryTopup({ ...topupRequest(intent), ...history }, signal, at),
  cancel: ({ cancelTopup }, intent, signal, history) =>
    cancelTopup?.({ ...topupRequest(intent), ...history }, signal) ?? null,
  decide: (current, outcome, at, { reportedAt }) =>
    withNextPoll(decideOnTopupOutcome(current, outcome, at, reportedAt), nextPollAt),
  // Rate, spread and fee are its provider's quote.
  decideReroute: () => ({ kind: "ignored", reason: "a top-up stays with the provider that quoted it" }),
  decideExpiry: decideTopupExpiry,
};
