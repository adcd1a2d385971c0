// What a provider can be down in by itself: a payment method, payouts in a currency, top-ups into a currency.
import type { RoutingSubject } from "@/server/domain/routing";

/** The name under which faults of such calls are counted together. */
export function channelOf({ kind, currency, instrument }: RoutingSubject): string {
  return kind === "payment" && instrument !== null ? instrument : `${kind} ${currency}`;
}
