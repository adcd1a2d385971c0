import type { RoutingSubject } from "@/server/domain/routing";
import type { Scope } from "@/server/domain/scope";

/** Returns the routing subject of a payout. */
export function payoutSubject(
  { country, currency }: { readonly country: string; readonly currency: string },
  { environment, merchantId }: Scope,
): RoutingSubject {
  return { kind: "payout", environment, country, currency, instrument: null, merchantId };
}
