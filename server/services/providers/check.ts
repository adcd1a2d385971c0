// What the operator sees of each configured provider: its coverage, its credentials, its account and its webhooks.
import { env } from "@/server/platform/env";
import type { ProviderFinding } from "@/server/psp/gateway";
import {
  callbackReceiver,
  configuredNames,
  gatewayByName,
  inspectProvider,
  inspectSubAccount,
  providerReach,
} from "@/server/psp/registry";
import { listCallbacks } from "../callbacks/find";
import { accountFault, listOpenAccounts } from "./accounts";
import { type Coverage, coverageOf } from "./coverage";

export interface ProviderCheck extends Coverage {
  readonly name: string;
  /** Null if its adapter names no accounts. */
  readonly account: string | null;
  /** The accounts of merchants under it, with what the provider says about each. */
  readonly subAccounts: readonly SubAccountCheck[];
  readonly offersTopups: boolean;
  /** The address that its callbacks go to. */
  readonly callbackUrl: string;
  readonly findings: readonly ProviderFinding[];
}

interface SubAccountCheck {
  readonly merchantId: string;
  readonly subAccount: string;
  readonly findings: readonly ProviderFinding[];
}

/** Checks every configured provider, with calls that change nothing. */
export async function checkProviders(): Promise<ProviderCheck[]> {
  const open = await listOpenAccounts();
  return Promise.all(configuredNames().map((name) => checkProvider(name, open)));
}

async function checkProvider(name: string, open: Awaited<ReturnType<typeof listOpenAccounts>>): Promise<ProviderCheck> {
  const asked = await inspectProvider(name);
  const faults = open.filter(({ provider }) => provider === name).flatMap((one) => accountFault(one) ?? []);
  return {
    name,
    account: gatewayByName(name)?.account ?? null,
    subAccounts: await checkSubAccounts(name),
    ...coverageOf(name),
    offersTopups: providerReach(name).topupEnvironments.length > 0,
    callbackUrl: `${env().baseUrl}/providers/${name}/callbacks`,
    findings: [
      ...(asked ?? []),
      ...faults.map((text) => ({ level: "fault", text }) as const),
      await webhookFinding(name),
    ],
  };
}

/** One after the other: a platform can have many, and its provider limits the rate of calls. */
async function checkSubAccounts(name: string): Promise<SubAccountCheck[]> {
  const checks: SubAccountCheck[] = [];
  for (const [merchantId, subAccount] of Object.entries(gatewayByName(name)?.subAccounts ?? {})) {
    checks.push({ merchantId, subAccount, findings: (await inspectSubAccount(name, subAccount)) ?? [] });
  }
  return checks;
}

async function webhookFinding(provider: string): Promise<ProviderFinding> {
  if (!callbackReceiver(provider)) return { level: "ok", text: "sends no callbacks" };
  const { callbacks } = await listCallbacks({ provider, state: null });
  const [newest] = callbacks;
  if (newest) return { level: "ok", text: `the last signed callback arrived at ${newest.receivedAt.toISOString()}` };
  return { level: "warning", text: "no signed callback has arrived yet; configure the address above at the provider" };
}
