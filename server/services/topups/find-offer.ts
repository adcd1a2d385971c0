// Finds the provider and rate of a top-up. A top-up stays with the provider that quoted it.
import { ServiceError, validationError } from "@/server/domain/errors";
import { onlyProvider, type RoutingDecision, type RoutingSubject } from "@/server/domain/routing";
import type { Scope } from "@/server/domain/scope";
import type { Gateway, TopupOffer } from "@/server/psp/gateway";
import { gatewayByName, obstacleOf } from "@/server/psp/registry";
import { callForNewWork } from "../intents/call";
import { channelOf, chooseFor } from "../routing/choose";

export interface CreateTopup {
  readonly destination: { readonly amount: string; readonly currency: string };
  readonly source: {
    readonly type: "provider_gateway";
    readonly provider: string | null;
    readonly currency: string;
    readonly network: string | null;
  };
  readonly country: string;
  readonly merchantReference: string | null;
}

export interface RoutedOffer {
  readonly gateway: Gateway;
  readonly offer: TopupOffer;
  readonly routing: RoutingDecision;
}

function topupSubject({ country, destination, source }: CreateTopup, scope: Scope): RoutingSubject {
  const { environment, merchantId } = scope;
  const { currency } = destination;
  return { kind: "topup", environment, country, currency, instrument: source.network, merchantId };
}

/** Returns the breaker channel of top-ups into a currency. */
export function topupChannel(currency: string): string {
  return channelOf({ kind: "topup", currency, instrument: null, country: "", environment: "live" });
}

/** Returns the named provider alone, or all candidates in the order of the route. */
function routingOf(command: CreateTopup, scope: Scope, dispatchReference: string): RoutingDecision {
  const subject = topupSubject(command, scope);
  const { provider } = command.source;
  if (provider !== null) {
    if (obstacleOf(provider, subject) === null) return onlyProvider(provider);
    throw validationError("source.provider", "is not a provider of this environment");
  }
  const chosen = chooseFor(subject, dispatchReference);
  if (!chosen) throw validationError("source.type", "is not offered: no provider is configured for it");
  return chosen.routing;
}

/**
 * Returns the offer of the first provider that converts the pair on the requested network. Throws validation_failed if
 * none does, and service_unavailable if a possible provider could not be reached.
 */
export async function findOffer(command: CreateTopup, scope: Scope, dispatchReference: string): Promise<RoutedOffer> {
  const { source, destination } = command;
  const { environment } = scope;
  const routing = routingOf(command, scope, dispatchReference);
  const passed: RoutingDecision["skipped"][number][] = [];
  let otherNetworks: readonly string[] = [];
  for (const provider of routing.order) {
    const gateway = gatewayByName(provider);
    if (!gateway) continue;
    const offer = await callForNewWork(provider, topupChannel(destination.currency), (signal) =>
      gateway.quoteTopup(source.currency, destination.currency, environment, signal),
    );
    if (offer !== null && "kind" in offer) passed.push({ provider, reason: "no_quote" });
    else if (offer !== null && (source.network === null || offer.networks.includes(source.network))) {
      const skipped = [...routing.skipped.filter((one) => one.provider !== provider), ...passed];
      return { gateway, offer, routing: { ...routing, order: [provider], skipped } };
    } else {
      passed.push({ provider, reason: "not_offered" });
      otherNetworks = offer?.networks ?? otherNetworks;
    }
  }
  if (passed.some(({ reason }) => reason === "no_quote")) {
    throw new ServiceError("service_unavailable", "No rate can be quoted now; retry.", 5);
  }
  if (otherNetworks.length > 0) throw validationError("source.network", `must be one of ${otherNetworks.join(", ")}`);
  throw validationError("source.currency", `cannot be converted into ${destination.currency}`);
}
