// Refuses to start with credentials of another account than the one that has open work.
import { listOpenAccountsAcrossMerchants, type OpenAccount } from "@/server/db/provider-accounts";
import { ConfigurationError } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { configuredNames, gatewayByName, inspectProvider, namesWithSubAccounts } from "@/server/psp/registry";

/** Returns the fault of open work at an account that the provider is not configured for, or null. */
export function accountFault({ provider, account, subAccount, merchantId, count }: OpenAccount): string | null {
  const gateway = gatewayByName(provider);
  // Without its provider the work waits; that is the operator's choice, and nothing is sent or released.
  if (!gateway) return null;
  if (gateway.account === account) {
    const present = merchantId === null ? null : (gateway.subAccounts?.[merchantId] ?? null);
    if (present === subAccount) return null;
    const sent = `${count} open intents of ${merchantId} were sent to ${shown(subAccount)}`;
    return `PROVIDERS: ${provider} is configured with ${shown(present)} for ${merchantId}, but ${sent}; restore it until they have ended`;
  }
  const configured = gateway.account === undefined ? "no account" : `account ${gateway.account}`;
  return `PROVIDERS: ${provider} is configured for ${configured}, but ${count} open intents were sent to account ${account}; restore its key until they have ended, and give the new account another name`;
}

function shown(subAccount: string | null): string {
  return subAccount === null ? "no sub-account" : `sub-account ${subAccount}`;
}

/** Returns the accounts of open work at the configured providers. */
export function listOpenAccounts(): Promise<OpenAccount[]> {
  return listOpenAccountsAcrossMerchants(namesWithSubAccounts());
}

/**
 * Runs at startup. Throws a ConfigurationError if a provider's credentials belong to another account than its
 * configuration names, or if open intents were sent to another account or sub-account. A provider that does not answer is only logged.
 */
export async function requireProviderAccounts(): Promise<void> {
  const open = await listOpenAccounts();
  const faults = open.flatMap((one) => accountFault(one) ?? []);
  const inspect = async (provider: string) => {
    for (const { level, text, stopsStart } of (await inspectProvider(provider)) ?? []) {
      if (stopsStart) faults.push(`PROVIDERS: ${provider}: ${text}`);
      else if (level !== "ok") log().warn({ provider, finding: text }, "a check of a provider's configuration");
    }
  };
  await Promise.all(configuredNames().map(inspect));
  if (faults.length > 0) throw new ConfigurationError(faults);
}
