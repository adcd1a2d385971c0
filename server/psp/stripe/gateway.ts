// The adapter for Stripe: payments by codes, bank transfers and Stripe's page (docs/providers/stripe.md).
import type { Environment } from "@/server/domain/scope";
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { bySubAccount, guardedClients, perAccount } from "../sub-accounts";
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

/** Returns the adapter of one configured account and its connected accounts. */
export function createStripeGateway(config: StripeConfig): Gateway {
  const { account, sub_accounts: subAccounts, environments, url } = config;
  const [environment = "live"] = environments;
  const allowHttp = url.startsWith("http:");
  const clientOf = guardedClients(account, (subAccount) => createStripeClient(config, subAccount), findAccount);
  const contextOf = (subAccount: string | null): StripeContext => ({ ...clientOf(subAccount), environment, allowHttp });
  return bySubAccount(
    subAccounts,
    perAccount((subAccount) => gatewayOf(config, environment, contextOf(subAccount))),
  );
}

function gatewayOf(config: StripeConfig, environment: Environment, context: StripeContext): Gateway {
  const { name, account } = config;
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
