// The configured providers and the subjects that each can serve.
import type { ProviderSum } from "@/server/domain/outcome";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import type { Obstacle, RoutingSubject } from "@/server/domain/routing";
import type { Environment } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { createBtcpayReceiver } from "./btcpay/callbacks";
import { createBtcpayGateway } from "./btcpay/gateway";
import { createBtcpayInspection } from "./btcpay/inspection";
import { withDeadline } from "./deadline";
import { createDlocalReceiver } from "./dlocal/callbacks";
import { createDlocalGateway } from "./dlocal/gateway";
import { createDlocalInspection } from "./dlocal/inspection";
import type {
  BalanceReader,
  CallbackReceiver,
  Gateway,
  ProviderFinding,
  ProviderInspection,
  SubAccountInspection,
} from "./gateway";
import { createCallbackReceiver } from "./http/callbacks";
import { createHttpGateway } from "./http/gateway";
import { measured } from "./measured";
import { createPaystackBalances } from "./paystack/balances";
import { createPaystackReceiver } from "./paystack/callbacks";
import { createPaystackGateway } from "./paystack/gateway";
import { createPaystackInspection } from "./paystack/inspection";
import { type ProviderConfig, readProviderConfigs } from "./provider-configs";
import { sandboxGateway } from "./sandbox/gateway";
import { createStripeBalances } from "./stripe/balances";
import { createStripeReceiver } from "./stripe/callbacks";
import { createStripeGateway } from "./stripe/gateway";
import { createStripeInspection, createStripeSubAccountInspection } from "./stripe/inspection";
import { createXenditBalances } from "./xendit/balances";
import { createXenditReceiver } from "./xendit/callbacks";
import { createXenditGateway } from "./xendit/gateway";
import { createXenditInspection, createXenditSubAccountInspection } from "./xendit/inspection";

/** A provider with the limits of its configuration. */
interface Provider {
  readonly gateway: Gateway;
  /** Null if it sends no callbacks. */
  readonly receiver: CallbackReceiver | null;
  /** The environments it serves. */
  readonly environments: readonly Environment[];
  /** The environments in which we request top-up rates from it. */
  readonly topupEnvironments: readonly Environment[];
  /** Absent if the adapter cannot check its configuration with the provider. */
  readonly inspect?: ProviderInspection | undefined;
  /** Absent if the adapter has no sub-accounts. */
  readonly inspectSubAccount?: SubAccountInspection | undefined;
  /** Absent if the adapter cannot ask for balances. */
  readonly readBalances?: BalanceReader | undefined;
  /** The merchants it serves; absent for all. */
  readonly merchants?: readonly string[] | undefined;
  /** How long a call may take, in ms; absent for PROVIDER_DEADLINE_MS. */
  readonly deadlineMs?: number | undefined;
  /** How many intents of one kind a worker handles at a time; absent for its default. */
  readonly concurrency?: number | undefined;
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
  shared.sluiceProviders = readProviderConfigs(json).map(buildProvider);
}

/** Returns the provider that an entry describes, without configuring it. */
export function buildProvider(config: ProviderConfig): Provider {
  const { deadline_ms: deadlineMs, concurrency, environments } = config;
  const subAccounts = "sub_accounts" in config ? config.sub_accounts : undefined;
  const merchants = subAccounts ? Object.keys(subAccounts) : config.merchants;
  const limits = { merchants, deadlineMs, concurrency, environments };
  if (config.type === "paystack") {
    const [gateway, receiver] = [measured(createPaystackGateway(config)), createPaystackReceiver(config)];
    const [inspect, readBalances] = [createPaystackInspection(config), createPaystackBalances(config)];
    return { gateway, receiver, topupEnvironments: [], inspect, readBalances, ...limits };
  }
  if (config.type === "stripe") {
    const [gateway, receiver] = [measured(createStripeGateway(config)), createStripeReceiver(config)];
    const inspections = {
      inspect: createStripeInspection(config),
      inspectSubAccount: createStripeSubAccountInspection(config),
    };
    const readBalances = createStripeBalances(config);
    return { gateway, receiver, topupEnvironments: [], ...inspections, readBalances, ...limits };
  }
  if (config.type === "xendit") {
    const [gateway, receiver] = [measured(createXenditGateway(config)), createXenditReceiver(config)];
    const inspections = {
      inspect: createXenditInspection(config),
      inspectSubAccount: createXenditSubAccountInspection(config),
    };
    const readBalances = createXenditBalances(config);
    return { gateway, receiver, topupEnvironments: [], ...inspections, readBalances, ...limits };
  }
  if (config.type === "btcpay") {
    const [gateway, receiver] = [measured(createBtcpayGateway(config)), createBtcpayReceiver(config)];
    return { gateway, receiver, topupEnvironments: environments, inspect: createBtcpayInspection(config), ...limits };
  }
  if (config.type === "dlocal") {
    const [gateway, receiver] = [measured(createDlocalGateway(config)), createDlocalReceiver(config)];
    return { gateway, receiver, topupEnvironments: [], inspect: createDlocalInspection(config), ...limits };
  }
  return {
    gateway: measured(createHttpGateway(config)),
    receiver: createCallbackReceiver(config),
    topupEnvironments: config.topups.length > 0 ? environments : [],
    ...limits,
  };
}

/** The most calls that a check of a configuration makes. */
const CALLS_OF_CHECK = 4;

/** All providers in order of preference: the sandbox, for the test environment only, then the configured ones. */
function providers(): readonly Provider[] {
  if (!shared.sluiceProviders) configureGateways(env().providers);
  return [SANDBOX_PROVIDER, ...(shared.sluiceProviders ?? [])];
}

/** Returns the number of providers, including the sandbox. */
export function providerCount(): number {
  return providers().length;
}

/** Returns the names of all providers in order of preference, the sandbox first. */
export function providerNames(): string[] {
  return providers().map(({ gateway }) => gateway.name);
}

/** Returns the names of the configured providers, in order. */
export function configuredNames(): string[] {
  return providers().flatMap(({ gateway }) => (gateway.name === sandboxGateway.name ? [] : [gateway.name]));
}

function find(name: string): Provider | undefined {
  return providers().find(({ gateway }) => gateway.name === name);
}

/**
 * Returns what the named provider says about its configuration, or null if its adapter cannot ask. One check makes a few
 * calls, each of which may take as long as a call of a payment.
 */
export async function inspectProvider(name: string): Promise<readonly ProviderFinding[] | null> {
  const inspect = find(name)?.inspect;
  if (!inspect) return null;
  const late: ProviderFinding[] = [{ level: "warning", text: "the provider did not answer in time" }];
  return withDeadline<readonly ProviderFinding[]>(CALLS_OF_CHECK * deadlineOf(name), inspect, () => late);
}

/** Returns what the named provider says about a sub-account; null if its adapter has none. */
export async function inspectSubAccount(name: string, subAccount: string): Promise<readonly ProviderFinding[] | null> {
  const inspect = find(name)?.inspectSubAccount;
  if (!inspect) return null;
  const late: ProviderFinding[] = [{ level: "warning", text: "the provider did not answer in time" }];
  const ask = (signal: AbortSignal) => inspect(subAccount, signal);
  return withDeadline<readonly ProviderFinding[]>(CALLS_OF_CHECK * deadlineOf(name), ask, () => late);
}

/**
 * Returns the balances that the named provider reports, of its account or of a sub-account; null if its adapter cannot ask, or the
 * provider does not answer.
 */
export async function readBalancesOf(
  name: string,
  subAccount: string | null = null,
): Promise<readonly ProviderSum[] | null> {
  const read = find(name)?.readBalances;
  if (!read) return null;
  const ask = (signal: AbortSignal) => read(signal, subAccount);
  return withDeadline<readonly ProviderSum[] | null>(deadlineOf(name), ask, () => null);
}

/**
 * Returns the name under which a merchant's faults on a provider's channel are counted: those of a sub-account, such as one that is
 * closed, say nothing about the others.
 */
export function breakerChannel(name: string, channel: string, merchantId: string | undefined): string {
  const subAccount = merchantId === undefined ? undefined : find(name)?.gateway.subAccounts?.[merchantId];
  return subAccount === undefined ? channel : `${channel} ${subAccount}`;
}

/** Returns the names of the providers whose calls go to sub-accounts of merchants. */
export function namesWithSubAccounts(): string[] {
  return providers().flatMap(({ gateway }) => (gateway.subAccounts ? [gateway.name] : []));
}

/** Returns where and for whom the named provider serves; `merchants` is null for all. */
export function providerReach(name: string): {
  readonly environments: readonly Environment[];
  readonly topupEnvironments: readonly Environment[];
  readonly merchants: readonly string[] | null;
} {
  const { environments = [], topupEnvironments = [], merchants = null } = find(name) ?? {};
  return { environments, topupEnvironments, merchants };
}

/** Returns how long a call to the named provider may take, in ms. */
export function deadlineOf(name: string): number {
  return find(name)?.deadlineMs ?? env().providerDeadlineMs;
}

/** Returns the longest time that a call to any provider may take, in ms. */
export function longestDeadlineMs(): number {
  return Math.max(...providers().map(({ gateway }) => deadlineOf(gateway.name)));
}

/** Returns how many intents of one kind a worker handles at a time, for the providers that have a limit of their own. */
export function concurrencies(): Readonly<Record<string, number>> {
  const own: Record<string, number> = {};
  for (const { gateway, concurrency } of providers()) if (concurrency) own[gateway.name] = concurrency;
  return own;
}

/** Returns the provider called `name`, or null if it is not configured. */
export function gatewayByName(name: string): Gateway | null {
  return find(name)?.gateway ?? null;
}

/** Returns true if the provider is configured for the subject's merchant, and its method, currency or conversion. */
function offers({ gateway, topupEnvironments, merchants }: Provider, subject: RoutingSubject) {
  const { kind, environment, instrument, currency, merchantId } = subject;
  if (merchants && merchantId !== undefined && !merchants.includes(merchantId)) return false;
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
  const provider = find(name);
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
  return find(name)?.receiver ?? null;
}

/** Returns the environment that the named provider serves, or null if it serves several or is not configured. */
export function soleEnvironmentOf(name: string): Environment | null {
  const environments = find(name)?.environments ?? [];
  return environments.length === 1 ? (environments[0] ?? null) : null;
}
