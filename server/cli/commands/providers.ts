import { checkProviders, type ProviderCheck } from "@/server/services/providers/check";
import { type Command, defineCommand } from "../command";

function presentCheck({ name, account, paymentMethods, payoutCurrencies, callbackUrl, findings }: ProviderCheck) {
  return {
    name,
    account,
    payment_methods: paymentMethods,
    payout_currencies: payoutCurrencies,
    callback_url: callbackUrl,
    is_ready: findings.every(({ level }) => level !== "fault"),
    findings: findings.map(({ level, text }) => `${level}: ${text}`),
  };
}

const check = defineCommand({
  name: "providers check",
  summary: "Check the keys, accounts and callbacks of the configured providers, and show what they offer",
  options: {},
  run: async () => ({ data: (await checkProviders()).map(presentCheck) }),
});

export const providers: readonly Command[] = [check];
