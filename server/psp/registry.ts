// Which providers there are, and what each of them can have.
import { findPaymentMethod } from "@/server/domain/payment-methods";
import type { Obstacle, RoutingSubject } from "@/server/domain/routing";
import type { Environment } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import type { CallbackReceiver, Gateway } from "./gateway";
import { createCallbackReceiver } from "./http/callbacks";
import { type ProviderConfig, readProviderConfigs } from "./http/config";
import { createHttpGateway } from "./http/gateway";
import { sandboxGateway } from "./sandbox/gateway";

/** A provider as the registry knows it. */
interface Provider {
  readonly gateway: Gateway;
  /** Null when it sends no callbacks. */
  readonly receiver: CallbackReceiver | null;
  /** The environments it serves. */
  readonly environments: readonly Environment[];
  /** The environments in which it is asked for top-up rates. */
  readonly topupEnvironments: readonly Environment[];
}

const SANDBOX_PROVIDER: Provider = {
  gateway: sandboxGateway,
  receiver: null,
  environments: ["test"],
  topupEnvironments: ["test"],
};

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & { sluiceProviders?: readonly Provider[] };

/**
 * Replaces the external providers by those of a PROVIDERS text: JSON, the path of a JSON file, or nothing for none.
 * Throws a ConfigurationError that lists every fault; the providers then stay as they were.
 */
export function configureGateways(json: string | null | undefined): void {
  shared.sluiceProviders = readProviderConfigs(json).map(toProvider);
}

function toProvider(config: ProviderConfig): Provider {
  return {
    gateway: createHttpGateway(config),
    receiver: createCallbackReceiver(config),
    environments: config.environments,
    topupEnvironments: config.topups.length > 0 ? config.environments : [],
  };
}

/** All in order of preference: the sandbox, which serves the test environment alone, then the configured ones. */
function providers(): readonly Provider[] {
  if (!shared.sluiceProviders) configureGateways(env().providers);
  return [SANDBOX_PROVIDER, ...(shared.sluiceProviders ?? [])];
}

/** How many providers there are, the sandbox among them. */
export function providerCount(): number {
  return providers().length;
}

/** The provider of that name, or null when none is configured any more. */
export function gatewayByName(name: string): Gateway | null {
  return providers().find(({ gateway }) => gateway.name === name)?.gateway ?? null;
}

/** True when the provider can have the subject: the method, currency or conversion is among what it is configured for. */
function offers({ gateway, topupEnvironments }: Provider, { kind, environment, instrument, currency }: RoutingSubject) {
  switch (kind) {
    case "payment": {
      const method = instrument === null ? null : findPaymentMethod(instrument);
      return method !== null && gateway.offersPayment(method, environment);
    }
    case "payout":
      return gateway.offersPayout(currency, environment);
    case "topup":
      return topupEnvironments.includes(environment);
  }
}

/** What keeps the named provider from having the subject, or null when nothing does. */
export function obstacleOf(name: string, subject: RoutingSubject): Obstacle | null {
  const provider = providers().find(({ gateway }) => gateway.name === name);
  if (!provider) return "not_configured";
  return offers(provider, subject) ? null : "not_offered";
}

/** The names of all providers that can have the subject, in order. */
export function providersOffering(subject: RoutingSubject): string[] {
  return providers().flatMap((provider) => (offers(provider, subject) ? [provider.gateway.name] : []));
}

/** Who verifies and reads the callbacks of the named provider; null for the sandbox, which sends none, and unknown names. */
export function callbackReceiver(name: string): CallbackReceiver | null {
  return providers().find((provider) => provider.gateway.name === name)?.receiver ?? null;
}

/** The environment that the named provider serves; null when it serves several or is not configured. */
export function soleEnvironmentOf(name: string): Environment | null {
  const environments = providers().find(({ gateway }) => gateway.name === name)?.environments ?? [];
  return environments.length === 1 ? (environments[0] ?? null) : null;
}
