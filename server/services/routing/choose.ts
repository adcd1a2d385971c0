// Choosing a provider for new work, and the next one for work that its provider surely did not take.
import {
  chooseProvider,
  nextProvider,
  type Readiness,
  type RoutingDecision,
  type RoutingSubject,
} from "@/server/domain/routing";
import { sha256Hex } from "@/server/platform/crypto";
import { isOpen } from "@/server/psp/breakers";
import type { Gateway } from "@/server/psp/gateway";
import { breakerChannel, gatewayByName } from "@/server/psp/registry";
import { candidatesFor } from "@/server/psp/routes";

export interface RouteChoice {
  readonly gateway: Gateway;
  readonly routing: RoutingDecision;
}

/**
 * The provider for the subject, with the decision to be stored; null when nobody offers it. The draw by weight is that of
 * the intent's dispatch reference: a retry after a restore must meet the provider that remembers this reference.
 */
export function chooseFor(subject: RoutingSubject, dispatchReference: string): RouteChoice | null {
  const { route, candidates } = candidatesFor(subject);
  const channel = channelOf(subject);
  const draw = drawOf(dispatchReference);
  const isClosed = (provider: string) => isOpen(provider, breakerChannel(provider, channel, subject.merchantId));
  const routing = chooseProvider(route, candidates, isClosed, draw);
  const gateway = routing && gatewayByName(routing.order[0] ?? "");
  return gateway && { gateway, routing };
}

/** A number in [0, 1) that is spread evenly over references and always the same for one of them. */
function drawOf(reference: string): number {
  return Number.parseInt(sha256Hex(reference).slice(0, 12), 16) / 2 ** 48;
}

/** Returns the providers that can receive the subject, first or by failover. */
export function providersFor(subject: RoutingSubject): string[] {
  const { candidates } = candidatesFor(subject);
  return candidates.flatMap(({ provider, obstacle }) => (obstacle === null ? [provider] : []));
}

/** The provider after the intent's own, or null when there is none; `readyOnly` leaves out those with an open breaker. */
export function nextFor(
  intent: { readonly provider: string; readonly routing: RoutingDecision; readonly merchantId: string },
  channel: string,
  { readyOnly }: { readonly readyOnly: boolean },
): Gateway | null {
  const readiness = (provider: string): Readiness => {
    const gateway = gatewayByName(provider);
    // The merchant's sub-account can have been removed since the routing was decided.
    if (!gateway || (gateway.subAccounts && !Object.hasOwn(gateway.subAccounts, intent.merchantId))) return "gone";
    return isOpen(provider, breakerChannel(provider, channel, intent.merchantId)) ? "open" : "ready";
  };
  const next = nextProvider(intent.routing, intent.provider, readiness);
  if (!next || (readyOnly && next.readiness === "open")) return null;
  return gatewayByName(next.provider);
}

/** The name under which faults of such calls are counted together. */
export function channelOf({ kind, currency, instrument }: RoutingSubject): string {
  return kind === "payment" && instrument !== null ? instrument : `${kind} ${currency}`;
}
