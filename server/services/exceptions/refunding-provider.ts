import type { SuspenseBooking } from "@/server/db/suspense";
import { isId } from "@/server/platform/ids";
import { gatewayByName } from "@/server/psp/registry";

/** Returns the provider's name if it can send the money back to a payer; null if nobody can. */
export function refundingProvider({ intentId, provider, amount }: SuspenseBooking): string | null {
  const gateway = gatewayByName(provider);
  const canRefund = gateway?.createRefund !== undefined && gateway.queryRefund !== undefined;
  return canRefund && amount > 0n && isId("paymentIntent", intentId) ? provider : null;
}
