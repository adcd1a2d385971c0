// Owns bringing a due top-up intent forward.
import type { TopupOutcome } from "@/server/domain/outcome";
import { decideOnTopupOutcome, decideTopupExpiry, nextTopupLook, type TopupIntent } from "@/server/domain/topup-intent";
import type { Clock } from "@/server/platform/clock";
import { followUp } from "../intents/follow-up";
import { TOPUPS } from "../intents/transition";
import { keepTopup, topupChannel } from "./find-offer";
import { topupRequest } from "./provider-request";

/** Asks the provider about the top-up, records its news, and closes it once the quote has run out. */
export async function followUpTopup(intent: TopupIntent, clock: Clock): Promise<void> {
  const request = topupRequest(intent);
  await followUp<TopupIntent, TopupOutcome>({
    kind: TOPUPS,
    intent,
    clock,
    deadline: ({ status, expiresAt }) => (status === "requires_payment" ? expiresAt : null),
    safeToFail: true,
    currency: intent.destinationCurrency,
    channel: topupChannel(intent.destinationCurrency),
    send: (gateway, _, signal, announcedAt) => gateway.createTopup({ ...request, announcedAt }, signal),
    query: (gateway, _, signal, at) => gateway.queryTopup(request, signal, at),
    cancel: ({ cancelTopup }) => (cancelTopup ? (_, signal) => cancelTopup(request, signal) : null),
    decideReroute: keepTopup,
    decide: decideOnTopupOutcome,
    decideExpiry: decideTopupExpiry,
    nextLook: nextTopupLook,
  });
}
