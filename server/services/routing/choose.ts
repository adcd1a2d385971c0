// Owns choosing a provider for new work, and the next one for work that its provider surely did not take.
import {
  chooseProvider,
  nextProvider,
  type Readiness,
  type RoutingDecision,
  type RoutingSubject,
} from "@/server/domain/routing";
import { isOpen } from "@/server/psp/breakers";
import type { Gateway } from "@/server/psp/gateway";
import { gatewayByName } from "@/server/psp/registry";
import { candidatesFor } from "@/server/psp/routes";
import { channelOf } from "./channel";

export interface Chosen {
  readonly gateway: Gateway;
  readonly routing: RoutingDecision;
}

/** The provider for the subject, with the decision to be stored; null when nobody offers it. */
export function chooseFor(subject: RoutingSubject): Chosen | null {
  const { route, candidates } = candidatesFor(subject);
  const channel = channelOf(subject);
  const routing = chooseProvider(route, candidates, (provider) => isOpen(provider, channel), Math.random());
  const gateway = routing && gatewayByName(routing.order[0] ?? "");
  return gateway && { gateway, routing };
}

/** True when some provider can have the subject. */
export function isOffered(subject: RoutingSubject): boolean {
  return candidatesFor(subject).candidates.some(({ obstacle }) => obstacle === null);
}

/** The provider after the intent's own, or null when there is none; `readyOnly` leaves out those with an open breaker. */
export function nextFor(
  intent: { readonly provider: string; readonly routing: RoutingDecision },
  channel: string,
  { readyOnly }: { readonly readyOnly: boolean },
): Gateway | null {
  const readiness = (provider: string): Readiness => {
    if (!gatewayByName(provider)) return "gone";
    return isOpen(provider, channel) ? "open" : "ready";
  };
  const next = nextProvider(intent.routing, intent.provider, readiness);
  if (!next || (readyOnly && next.readiness === "open")) return null;
  return gatewayByName(next.provider);
}
