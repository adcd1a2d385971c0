// The adapter for Stripe: payments by codes, bank transfers and Stripe's page (docs/providers/stripe.md).
import { createAccountGuard } from "../account-guard";
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { findAccount } from "./account";
import { createStripeClient } from "./client";
import type { StripeConfig } from "./config";
import type { StripeContext } from "./context";
import { stripePage } from "./object-page";
import { cancelPayment, createPayment, queryPayment } from "./payments";
import { createRefund, queryRefund } from "./refunds";
import { PAYMENT_ROWS } from "./tables";

const NOT_OFFERED = {
  kind: "never_accepted",
  detail: "not sent: the adapter for Stripe only collects payments and refunds them",
} as const;

/** Returns the adapter of one configured account. */
export function createStripeGateway(config: StripeConfig): Gateway {
  const { name, account, environments, url } = config;
  const [environment = "live"] = environments;
  const client = createStripeClient(config);
  const guard = createAccountGuard(account, async (signal) => {
    const found = await findAccount(client, signal);
    return typeof found === "string" ? found : null;
  });
  const context: StripeContext = { client, guard, environment, allowHttp: url.startsWith("http:") };
  return {
    name,
    account,
    requiredCustomerFields: ({ code }) => PAYMENT_ROWS[code]?.requires ?? [],
    objectPage: (_kind, reference) => stripePage(environment, reference),
    ...offersOf(config, PAYMENT_ROWS, {}),
    quoteTopup: async () => null,
    createPayment: (request, signal) => createPayment(context, request, signal),
    queryPayment: (request, signal, at) => queryPayment(context, request, signal, at),
    cancelPayment: (request, signal) => cancelPayment(context, request, signal),
    createRefund: (request, signal) => createRefund(context, request, signal),
    queryRefund: (request, signal) => queryRefund(context, request, signal),
    createPayout: async () => NOT_OFFERED,
    queryPayout: async () => [NOT_OFFERED],
    createTopup: async () => NOT_OFFERED,
    queryTopup: async () => [NOT_OFFERED],
  };
}
