// Checks the configuration of a business, by calls that change nothing.
import type { ProviderInspection } from "../gateway";
import { findAccount } from "./account";
import { createXenditClient, describe } from "./client";
import type { XenditConfig } from "./config";

/** Returns the check of one configured business. */
export function createXenditInspection(config: XenditConfig): ProviderInspection {
  const client = createXenditClient(config);
  return async (signal) => {
    const found = await findAccount(client, signal);
    if (found === config.account) return [{ level: "ok", text: `secret_key belongs to account ${config.account}` }];
    if (typeof found === "string") {
      const text = `secret_key belongs to account ${found}, not to ${config.account}`;
      return [{ level: "fault", text, stopsStart: true }];
    }
    if (found.kind === "error" && found.status === 401) return [{ level: "fault", text: "Xendit rejects secret_key" }];
    const why =
      found.kind === "data" ? "Xendit lists no payment request and no transaction that it may read" : describe(found);
    return [{ level: "warning", text: `secret_key was not checked, and no payout is sent until it is: ${why}` }];
  };
}
