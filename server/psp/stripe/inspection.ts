// Checks the configuration of a Stripe account, by a call that changes nothing.
import type { ProviderInspection } from "../gateway";
import { findAccount } from "./account";
import { createStripeClient, describe } from "./client";
import type { StripeConfig } from "./config";

/** Returns the check of one configured account. */
export function createStripeInspection(config: StripeConfig): ProviderInspection {
  const client = createStripeClient(config);
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
