// The pages of Stripe's dashboard. Stripe documents no addresses; these are the ones that its own plugins open.
import type { Environment } from "@/server/domain/scope";

const DASHBOARD = "https://dashboard.stripe.com";

/** Returns the page of a PaymentIntent, charge or Checkout Session; null for any other id. */
export function stripePage(environment: Environment, id: string): string | null {
  const [, prefix] = /^(pi|ch|py|cs)_[A-Za-z0-9_]{1,250}$/.exec(id) ?? [];
  if (!prefix) return null;
  const base = environment === "live" ? DASHBOARD : `${DASHBOARD}/test`;
  return `${base}/${prefix === "cs" ? "checkout/sessions" : "payments"}/${id}`;
}
