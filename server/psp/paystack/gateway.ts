// The adapter for Paystack: payments on its page in four countries, and payouts to bank accounts (docs/providers/paystack.md).
import { createAccountGuard } from "../account-guard";
import { offersOf } from "../config/keyed-account";
import { createExchange } from "../exchange";
import type { Gateway } from "../gateway";
import { findAccount } from "./account";
import { createClient, type PaystackClient } from "./client";
import type { PaystackConfig } from "./config";
import type { PaystackContext } from "./context";
import { paystackPage } from "./object-page";
import { createPayment, queryPayment } from "./payments";
import { createPayout, queryPayout } from "./payouts";
import { PAYMENT_ROWS, PAYOUT_ROWS } from "./tables";

/** Returns a client with the account's secret key. */
export function createPaystackClient({ url, secret_key }: Pick<PaystackConfig, "url" | "secret_key">): PaystackClient {
  return createClient(createExchange(url, () => ({ authorization: `Bearer ${secret_key}` })));
}

const NO_TOPUPS = { kind: "never_accepted", detail: "not sent: Paystack has no top-ups" } as const;

/** Returns the adapter of one configured account. */
export function createPaystackGateway(config: PaystackConfig): Gateway {
  const { name, account, payer_email, environments, url } = config;
  const [environment = "live"] = environments;
  const client = createPaystackClient(config);
  const guard = createAccountGuard(account, (signal) => findAccount(client, signal));
  const allowHttp = url.startsWith("http:");
  const context: PaystackContext = { client, guard, environment, payerEmail: payer_email ?? null, allowHttp };
  return {
    name,
    account,
    requiredCustomerFields: () => (payer_email === undefined ? ["email"] : []),
    objectPage: paystackPage,
    ...offersOf(config, PAYMENT_ROWS, PAYOUT_ROWS),
    quoteTopup: async () => null,
    createPayment: (request, signal) => createPayment(context, request, signal),
    queryPayment: (request, signal) => queryPayment(context, request, signal),
    createPayout: (request, signal) => createPayout(context, request, signal),
    queryPayout: (request, signal) => queryPayout(context, request, signal),
    createTopup: async () => NO_TOPUPS,
    queryTopup: async () => [NO_TOPUPS],
  };
}
