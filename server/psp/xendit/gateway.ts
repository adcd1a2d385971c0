// The adapter for Xendit: payments by codes, virtual accounts and wallets, and payouts in five currencies
// (docs/providers/xendit.md).
import { createAccountGuard } from "../account-guard";
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { findAccount } from "./account";
import { createXenditClient } from "./client";
import type { XenditConfig } from "./config";
import type { XenditContext } from "./context";
import { createPayment, queryPayment } from "./payments";
import { createPayout, queryPayout } from "./payouts";
import { PAYMENT_ROWS, PAYOUT_ROWS } from "./tables";

const NO_TOPUPS = { kind: "never_accepted", detail: "not sent: Xendit has no top-ups" } as const;

/** Returns the adapter of one configured business. */
export function createXenditGateway(config: XenditConfig): Gateway {
  const { name, account, payer_name, url } = config;
  const client = createXenditClient(config);
  const guard = createAccountGuard(account, async (signal) => {
    const found = await findAccount(client, signal);
    return typeof found === "string" ? found : null;
  });
  const allowHttp = url.startsWith("http:");
  const context: XenditContext = { client, guard, payerName: payer_name ?? null, allowHttp };
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
