import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { checkProviders, type ProviderCheck } from "@/server/services/providers/check";
import { type OpenBreaker, readOpenBreakers } from "@/server/services/providers/open-breakers";
import { type ProviderStatus, readProviderStatus } from "@/server/services/providers/status";
import { type Command, defineCommand, optional } from "../command";
import { certify } from "./certify";

type ProviderFinding = ProviderCheck["findings"][number];

const isNoFault = ({ level }: ProviderFinding) => level !== "fault";
const presentFinding = ({ level, text }: ProviderFinding) => `${level}: ${text}`;

/** A fault of one merchant's sub-account does not keep the others from being ready. */
function presentSubAccount({ merchantId, subAccount, findings }: ProviderCheck["subAccounts"][number]) {
  return {
    merchant_id: merchantId,
    sub_account: subAccount,
    is_ready: findings.every(isNoFault),
    findings: findings.map(presentFinding),
  };
}

function presentCheck(checked: ProviderCheck) {
  const { name, account, subAccounts, paymentMethods, payoutCurrencies, offersTopups, callbackUrl, findings } = checked;
  return {
    name,
    account,
    sub_accounts: subAccounts.map(presentSubAccount),
    payment_methods: paymentMethods,
    payout_currencies: payoutCurrencies,
    offers_topups: offersTopups,
    callback_url: callbackUrl,
    is_ready: findings.every(isNoFault),
    findings: findings.map(presentFinding),
  };
}

const check = defineCommand({
  name: "providers check",
  summary: "Check the keys, accounts and callbacks of the configured providers, and show what they offer",
  cells: "every",
  options: {},
  run: async () => {
    const checks = await checkProviders();
    if (checks.length === 0) log().warn("PROVIDERS is not set for this command: give it the variables of the service");
    return { data: checks.map(presentCheck) };
  },
});

function presentCalls({ environment, count, withoutAnswer, lastAnswerAt }: ProviderStatus["calls"][number]) {
  return { environment, count, without_answer: withoutAnswer, last_answer_at: lastAnswerAt?.toISOString() ?? null };
}

function presentOpen({ environment, kind, count, overdue, oldestAt }: ProviderStatus["open"][number]) {
  return { environment, kind, count, overdue, oldest_at: oldestAt.toISOString() };
}

function presentBalances(balances: ProviderStatus["balances"]) {
  return balances?.map(({ amount, currency }) => ({ amount: amount.toString(), currency })) ?? null;
}

function presentStatus(provider: ProviderStatus, breakers: readonly OpenBreaker[] | null) {
  const own = breakers?.filter((breaker) => breaker.provider === provider.name);
  return {
    name: provider.name,
    is_configured: provider.isConfigured,
    account: provider.account,
    environments: provider.environments,
    merchants: provider.merchants,
    payment_methods: provider.paymentMethods,
    payout_currencies: provider.payoutCurrencies,
    offers_topups: provider.offersTopups,
    balances: presentBalances(provider.balances),
    sub_accounts: provider.subAccounts.map(({ merchantId, subAccount, balances }) => ({
      merchant_id: merchantId,
      sub_account: subAccount,
      balances: presentBalances(balances),
    })),
    last_callback_at: provider.lastCallbackAt?.toISOString() ?? null,
    open_breakers: own?.map(({ channel }) => channel) ?? null,
    calls: provider.calls.map(presentCalls),
    open: provider.open.map(presentOpen),
  };
}

const status = defineCommand({
  name: "providers status",
  summary: "Show each provider's calls, open work, callbacks, balances and open breakers",
  cells: "every",
  options: { service: optional("ORIGIN", "where the service answers /metrics; BASE_URL if omitted") },
  run: async ({ service }) => {
    const { baseUrl, metricsToken } = env();
    const [all, breakers] = await Promise.all([
      readProviderStatus(),
      readOpenBreakers((service ?? baseUrl).replace(/\/+$/, ""), metricsToken),
    ]);
    const known = typeof breakers === "string" ? null : breakers;
    return {
      breakers_unknown_because: typeof breakers === "string" ? breakers : null,
      data: all.map((one) => presentStatus(one, known)),
    };
  },
});

export const providers: readonly Command[] = [check, status, certify];
