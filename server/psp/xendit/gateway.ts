// The adapter for Xendit: payments by codes, virtual accounts and wallets, and payouts in five currencies
// (docs/providers/xendit.md).
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { bySubAccount, guardedClients, perAccount } from "../sub-accounts";
import { findAccount } from "./account";
import { createXenditClient } from "./client";
import type { XenditConfig } from "./config";
import type { XenditContext } from "./context";
import { createPayment, queryPayment } from "./payments";
import { createPayout, queryPayout } from "./payouts";
import { PAYMENT_ROWS, PAYOUT_ROWS } from "./tables";

const NO_TOPUPS = { kind: "never_accepted", detail: "not sent: Xendit has no top-ups" } as const;

/** Returns the adapter of one configured business and its sub-accounts. */
export function createXenditGateway(config: XenditConfig): Gateway {
  const { account, sub_accounts: subAccounts, payer_name, url } = config;
  const allowHttp = url.startsWith("http:");
  const clientOf = guardedClients(account, (subAccount) => createXenditClient(config, subAccount), findAccount);
  const contextOf = (subAccount: string | null): XenditContext => ({
    ...clientOf(subAccount),
    payerName: payer_name ?? null,
    allowHttp,
  });
  return bySubAccount(
    subAccounts,
    perAccount((subAccount) => gatewayOf(config, contextOf(subAccount))),
  );
}

function gatewayOf(config: XenditConfig, context: XenditContext): Gateway {
  const { name, account, payer_name } = config;
  return {
    name,
    account,
    requiredCustomerFields: ({ code }) =>
      PAYMENT_ROWS[code]?.collection.type === "VIRTUAL_ACCOUNT" && payer_name === undefined ? ["name"] : [],
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
