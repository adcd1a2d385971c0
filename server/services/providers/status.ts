// The providers as the operator sees them: of all merchants, with what the providers themselves report.
import { listCallbacksAcrossMerchants } from "@/server/db/callbacks";
import {
  listOpenWorkAcrossMerchants,
  listProviderCallsAcrossMerchants,
  type OpenWork,
  type ProviderCalls,
} from "@/server/db/provider-work";
import type { ProviderSum } from "@/server/domain/outcome";
import type { Environment } from "@/server/domain/scope";
import { gatewayByName, providerNames, providerReach, readBalancesOf } from "@/server/psp/registry";
import { type Coverage, coverageOf } from "./coverage";

export interface ProviderStatus extends Coverage {
  readonly name: string;
  /** False for a provider that has open intents but is not in PROVIDERS: they wait. */
  readonly isConfigured: boolean;
  /** Null if its adapter names no accounts. */
  readonly account: string | null;
  readonly environments: readonly Environment[];
  /** Null for all. */
  readonly merchants: readonly string[] | null;
  readonly offersTopups: boolean;
  /** What the provider reports; null if its adapter cannot ask, or the provider did not answer. */
  readonly balances: readonly ProviderSum[] | null;
  /** The accounts of merchants under it, with what the provider reports of each. */
  readonly subAccounts: readonly SubAccountStatus[];
  readonly lastCallbackAt: Date | null;
  readonly calls: readonly ProviderCalls[];
  readonly open: readonly OpenWork[];
}

interface SubAccountStatus {
  readonly merchantId: string;
  readonly subAccount: string;
  /** Null if the provider did not answer. */
  readonly balances: readonly ProviderSum[] | null;
}

/** Returns the status of the sandbox, the configured providers, and those that are gone but have open intents. */
export async function readProviderStatus(): Promise<ProviderStatus[]> {
  const [open, calls] = await Promise.all([listOpenWorkAcrossMerchants(), listProviderCallsAcrossMerchants()]);
  const names = new Set([...providerNames(), ...open.map(({ provider }) => provider)]);
  return Promise.all([...names].map((name) => statusOf(name, open, calls)));
}

async function statusOf(
  name: string,
  open: readonly OpenWork[],
  calls: readonly ProviderCalls[],
): Promise<ProviderStatus> {
  const gateway = gatewayByName(name);
  const { environments, merchants, topupEnvironments } = providerReach(name);
  const [balances, subAccounts, [newest]] = await Promise.all([
    readBalancesOf(name),
    readSubAccounts(name),
    listCallbacksAcrossMerchants({ provider: name, state: null }, 1),
  ]);
  return {
    name,
    isConfigured: gateway !== null,
    account: gateway?.account ?? null,
    environments,
    merchants,
    ...coverageOf(name),
    offersTopups: topupEnvironments.length > 0,
    balances,
    subAccounts,
    lastCallbackAt: newest?.receivedAt ?? null,
    calls: calls.filter(({ provider }) => provider === name),
    open: open.filter(({ provider }) => provider === name),
  };
}

/** One after the other: a platform can have many, and its provider limits the rate of calls. */
async function readSubAccounts(name: string): Promise<SubAccountStatus[]> {
  const read: SubAccountStatus[] = [];
  for (const [merchantId, subAccount] of Object.entries(gatewayByName(name)?.subAccounts ?? {})) {
    read.push({ merchantId, subAccount, balances: await readBalancesOf(name, subAccount) });
  }
  return read;
}
