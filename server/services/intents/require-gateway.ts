// Owns finding the provider that an intent was given to.
import type { Gateway } from "@/server/psp/gateway";
import { gatewayByName } from "@/server/psp/registry";
import { Impassable } from "../exceptions/impassable";

/** The intent's provider; throws when the operator has removed it from the configuration, so that the intent waits. */
export function requireGateway(intent: { readonly id: string; readonly provider: string }): Gateway {
  const gateway = gatewayByName(intent.provider);
  if (!gateway) {
    throw new Impassable(
      `the provider ${intent.provider} of ${intent.id} is not configured`,
      `Its provider, ${intent.provider}, is not configured any more.`,
    );
  }
  return gateway;
}
