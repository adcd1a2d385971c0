// Which addresses a merchant's endpoints may have: checked when one is saved, and again at every connection.
import { validationError } from "@/server/domain/errors";
import type { Environment } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { checkReceiverUrl, type ReceiverPolicy } from "@/server/receivers/address-policy";
import { checkReceiverHost } from "@/server/receivers/resolve";

/** Live takes https only; loopback is for test keys, and only where the operator allows it. */
export function receiverPolicy(environment: Environment): ReceiverPolicy {
  return {
    httpsOnly: environment === "live",
    allowLoopback: environment === "test" && env().webhookAllowLoopback,
  };
}

/** Throws validation_failed for a URL that is malformed, or leads anywhere but to public addresses. */
export async function requireReceiverUrl(environment: Environment, text: string): Promise<void> {
  const policy = receiverPolicy(environment);
  const checked = checkReceiverUrl(text, policy);
  if (!checked.ok) throw validationError("url", checked.why);
  const host = await checkReceiverHost(checked.url, policy);
  if (!host.ok) throw validationError("url", host.why);
}
