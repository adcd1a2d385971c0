// Checks the configuration of a Stripe account, by a call that changes nothing.
import type { ProviderInspection, SubAccountInspection } from "../gateway";
import { findAccount } from "./account";
import { createStripeClient, describe } from "./client";
import type { StripeConfig } from "./config";

/** Returns the check of one configured account. */
export function createStripeInspection(config: StripeConfig): ProviderInspection {
  const client = createStripeClient(config, null);
  return async (signal) => {
    const found = await findAccount(client, signal);
    if (found === config.account) return [{ level: "ok", text: `secret_key belongs to account ${config.account}` }];
    if (typeof found === "string") {
      const text = `secret_key belongs to account ${found}, not to ${config.account}`;
      return [{ level: "fault", text, stopsStart: true }];
    }
    if (found.kind === "error" && found.status === 401) return [{ level: "fault", text: "Stripe rejects secret_key" }];
    return [{ level: "warning", text: `secret_key was not checked: ${describe(found)}` }];
  };
}

/** Returns the check of the entry's connected accounts. */
export function createStripeSubAccountInspection(config: StripeConfig): SubAccountInspection {
  return async (subAccount, signal) => {
    const found = await findAccount(createStripeClient(config, subAccount), signal);
    if (found === subAccount) return [{ level: "ok", text: "Stripe lets the key act for it" }];
    if (typeof found === "string") return [{ level: "fault", text: `Stripe answers for account ${found} instead` }];
    const isRejected = found.kind === "error" && [401, 403].includes(found.status);
    return isRejected
      ? [{ level: "fault", text: `Stripe does not let the key act for it: ${describe(found)}` }]
      : [{ level: "warning", text: `it was not checked, and no payment is sent until it is: ${describe(found)}` }];
  };
}
