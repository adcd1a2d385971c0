import type { TransitionTable } from "./transition";

export const PAYMENT_STATUSES = [
  /**
   * The provider decides: it was just sent the payment, or its payer has acted. In the first case the provider's answer or
   * the end of the window moves it on. In the second (`payerActedAt` is set) only the provider or two people do.
   */
  "processing",
  /** The payer sees `nextAction`. A report of the provider moves it on; at the end of the window it expires. */
  "requires_action",
  /** The exact sum was credited. Terminal: money reported later is booked to suspense. */
  "succeeded",
  /** The provider declined it or never accepted it, its payer cancelled, or two people ended it. Terminal. */
  "failed",
  /** The window ended, and the provider, polled first, had no payment. Terminal. */
  "expired",
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type PaymentTrigger =
  | "provider_requires_action"
  | "provider_pending"
  | "provider_succeeded"
  | "provider_declined"
  | "payer_cancelled"
  | "provider_unavailable"
  | "resolved_succeeded"
  | "resolved_failed"
  | "reroute"
  | "provider_expired"
  | "expire";

/** Interface §3. `processing`: sent, or the payer has acted. `requires_action`: the payer must act. */
export const PAYMENT_TRANSITIONS = {
  processing: {
    provider_requires_action: "requires_action",
    provider_pending: "processing",
    provider_succeeded: "succeeded",
    provider_declined: "failed",
    payer_cancelled: "failed",
    provider_unavailable: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    reroute: "processing",
    provider_expired: "expired",
    expire: "expired",
  },
  requires_action: {
    provider_pending: "processing",
    provider_succeeded: "succeeded",
    provider_declined: "failed",
    payer_cancelled: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    provider_expired: "expired",
    expire: "expired",
  },
  succeeded: {},
  failed: {},
  expired: {},
} as const satisfies TransitionTable<PaymentStatus, PaymentTrigger>;
