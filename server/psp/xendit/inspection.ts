// Checks the configuration of a business, by calls that change nothing.
import type { ProviderInspection, SubAccountInspection } from "../gateway";
import { findAccount } from "./account";
import { createXenditClient, describe, type XenditAnswer } from "./client";
import type { XenditConfig } from "./config";

const UNCHECKED = "and no payout is sent until it is";

function whyUnchecked(found: XenditAnswer): string {
  return found.kind === "data"
    ? "Xendit lists no payment request and no transaction that it may read"
    : describe(found);
}

/** Returns the check of one configured business. */
export function createXenditInspection(config: XenditConfig): ProviderInspection {
  const client = createXenditClient(config, null);
  return async (signal) => {
    const found = await findAccount(client, signal);
    if (found === config.account) return [{ level: "ok", text: `secret_key belongs to account ${config.account}` }];
    if (typeof found === "string") {
      const text = `secret_key belongs to account ${found}, not to ${config.account}`;
      return [{ level: "fault", text, stopsStart: true }];
    }
    if (found.kind === "error" && found.status === 401) return [{ level: "fault", text: "Xendit rejects secret_key" }];
    return [{ level: "warning", text: `secret_key was not checked, ${UNCHECKED}: ${whyUnchecked(found)}` }];
  };
}

/** Returns the check of the entry's sub-accounts. */
export function createXenditSubAccountInspection(config: XenditConfig): SubAccountInspection {
  return async (subAccount, signal) => {
    const found = await findAccount(createXenditClient(config, subAccount), signal);
    if (found === subAccount) return [{ level: "ok", text: "Xendit lets the key act for it" }];
    if (typeof found === "string") return [{ level: "fault", text: `Xendit answers for business ${found} instead` }];
    const isRejected = found.kind === "error" && [401, 403].includes(found.status);
    return isRejected
      ? [{ level: "fault", text: `Xendit does not let the key act for it: ${describe(found)}` }]
      : [{ level: "warning", text: `it was not checked, ${UNCHECKED}: ${whyUnchecked(found)}` }];
  };
}
