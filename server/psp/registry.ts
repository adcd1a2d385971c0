// The configured providers and the subjects that each can serve.
import { findPaymentMethod } from "@/server/domain/payment-methods";
import type { Obstacle, RoutingSubject } from "@/server/domain/routing";
import type { Environment } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import type { CallbackReceiver, Gateway } from "./gateway";
import { createCallbackReceiver } from "./http/callbacks";
import { type ProviderConfig, readProviderConfigs } from "./http/config";
import { createHttpGateway } from "./http/gateway";
import { measured } from "./measured";
import { sandboxGateway } from "./sandbox/gateway";

/** A provider with the limits of its configuration. */
interface Provider {
  readonly gateway: Gateway;
  /** Null if it sends no callbacks. */
  readonly receiver: CallbackReceiver | null;
  /** The environments it serves. */
  readonly environments: readonly Environment[];
  /** The environments in which we request top-up rates from it. */
  readonly topupEnvironments: readonly Environment[];
}

const SANDBOX_PROVIDER: Provider = {
  gateway: measured(sandboxGateway),
  receiver: null,
  environments: ["test"],
  topupEnvironments: ["test"],
};

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceProviders?: readonly Provider[] };

/**
 * Replaces the external providers with those of a PROVIDERS text: JSON, the path of a JSON file, or empty for none.
 * Throws a ConfigurationError that lists every fault and leaves the providers unchanged.
 */
export function configureGateways(json: string | null | undefined): void {
  shared.sluiceProviders = readProviderConfigs(json).map(toProvider);
}

function toProvider(config: ProviderConfig): Provider {
  return {
    gateway: measured(createHttpGateway(config)),
    receiver: createCallbackReceiver(config),
    environments: config.environments,
    topupEnvironments: config.topups.length > 0 ? config.environments : [],
  };
}

/** All providers in order of preference: the sandbox, for the test environment only, then the configured ones. */
function providers(): readonly Provider[] {
  if (!shared.sluiceProviders) configureGateways(env().providers);
  return [SANDBOX_PROVIDER, ...(shared.sluiceProviders ?? [])];
}

/** Returns the number of providers, including the sandbox. */
export function providerCount(): number {
  return providers().length;
}

/** Returns the provider called `name`, or null if it is not configured. */
export function gatewayByName(name: string): Gateway | null {
  return providers().find(({ gateway }) => gateway.name === name)?.gateway ?? null;
}

/** Returns true if the provider is configured for the subject's method, currency or conversion. */
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

/** Returns what prevents the named provider from serving the subject, or null if nothing does. */
export function obstacleOf(name: string, subject: RoutingSubject): Obstacle | null {
  const provider = providers().find(({ gateway }) => gateway.name === name);
  if (!provider) return "not_configured";
  return offers(provider, subject) ? null : "not_offered";
}

/** Returns the names of all providers that can serve the subject, in order. */
export function providersOffering(subject: RoutingSubject): string[] {
  return providers().flatMap((provider) => (offers(provider, subject) ? [provider.gateway.name] : []));
}

/**
 * Returns the callback receiver of the named provider; null for the sandbox, which sends no callbacks, and for unknown
 * names.
 */
export function callbackReceiver(name: string): CallbackReceiver | null {
  return providers().find((provider) => provider.gateway.name === name)?.receiver ?? null;
}

/** Returns the environment that the named provider serves, or null if it serves several or is not configured. */
export function soleEnvironmentOf(name: string): Environment | null {
  const environments = providers().find(({ gateway }) => gateway.name === name)?.environments ?? [];
  return environments.length === 1 ? (environments[0] ?? null) : null;
}
