import type { TransitionTable } from "./transition";

export const PAYOUT_STATUSES = [
  /**
   * Its funds are held and it awaits approvals. The last one moves it to `processing`. Cancelling it, or seven days
   * without enough approvals, releases the hold.
   */
  "requires_approval",
  /**
   * It may be at a provider: the worker sends it, then polls until the provider settles or declines it. It stays here,
   * with an exception, while it is in doubt whether a provider has executed it.
   */
  "processing",
  /** The money left. Terminal: a later bank return goes back to the wallet. */
  "succeeded",
  /** No money left, and the hold was released. Terminal: money reported later is booked to suspense. */
  "failed",
  /** Cancelled, lapsed or refused by screening, before it was sent. Terminal. */
  "cancelled",
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export type PayoutTrigger =
  | "approve_partly"
  | "approve"
  | "cancel"
  | "lapse"
  | "provider_settled"
  | "provider_declined"
  | "provider_unavailable"
  | "resolved_settled"
  | "resolved_failed"
  | "screening_refused"
  | "reroute";

/**
 * Interface §3. `processing` means approved (or free of approval): the worker dispatches it and waits for the provider.
 * An approval that is not the last one leaves the payout at the gate.
 */
export const PAYOUT_TRANSITIONS = {
  requires_approval: {
    approve_partly: "requires_approval",
    approve: "processing",
    cancel: "cancelled",
    lapse: "cancelled",
    resolved_settled: "succeeded",
    resolved_failed: "failed",
  },
  processing: {
    provider_settled: "succeeded",
    provider_declined: "failed",
    provider_unavailable: "failed",
    resolved_settled: "succeeded",
    resolved_failed: "failed",
    screening_refused: "cancelled",
    reroute: "processing",
  },
  succeeded: {},
  failed: {},
  cancelled: {},
} as const satisfies TransitionTable<PayoutStatus, PayoutTrigger>;
