// This process's breakers: one per provider and channel (a payment method, payout currency or token).
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { type Breaker, type BreakerState, createBreaker } from "./breaker";

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceBreakers?: Map<string, Map<string, Breaker>> };

function all(): Map<string, Map<string, Breaker>> {
  shared.sluiceBreakers ??= new Map();
  return shared.sluiceBreakers;
}

/** Returns the breaker of a provider's channel, which is closed at first. */
export function breakerOf(provider: string, channel: string): Breaker {
  const channels = all().get(provider) ?? new Map<string, Breaker>();
  all().set(provider, channels);
  let breaker = channels.get(channel);
  if (!breaker) {
    breaker = createBreaker((state) =>
      log().warn({ provider, channel, state }, "a provider's breaker changed its state"),
    );
    channels.set(channel, breaker);
  }
  return breaker;
}

/** Returns true while the provider's channel should get no new work. */
export function isOpen(provider: string, channel: string): boolean {
  const breaker = all().get(provider)?.get(channel);
  return breaker !== undefined && breaker.state(now().getTime()) === "open";
}

/** Returns the state of each breaker at this time, in ms. */
export function breakerStates(nowMs: number): { provider: string; channel: string; state: BreakerState }[] {
  return [...all()].flatMap(([provider, channels]) =>
    [...channels].map(([channel, breaker]) => ({ provider, channel, state: breaker.state(nowMs) })),
  );
}

/** Removes all breakers, as in a new process. */
export function forgetBreakers(): void {
  all().clear();
}
