import type { TransitionTable } from "./transition";

export const TOPUP_STATUSES = [
  /** The payer can send funds until the quote runs out. Funds seen in time move it on; without any it expires. */
  "requires_payment",
  /** Enough funds were seen, or part of them when the quote ran out, and they await confirmation. */
  "processing",
  /** The confirmed funds were credited under the merchant's policies. Terminal: later funds are booked beside it. */
  "succeeded",
  /** The funds were too few for the policy, or the provider declined it. Terminal: its funds stay in suspense. */
  "failed",
  /** The quote ran out and no funds were seen. Terminal: later funds are booked to suspense. */
  "expired",
] as const;
export type TopupStatus = (typeof TOPUP_STATUSES)[number];

export type TopupTrigger =
  | "provider_instructions"
  | "part_seen"
  | "part_payment"
  | "part_confirmed"
  | "part_dropped"
  | "funds_seen"
  | "await_confirmation"
  | "funds_confirmed"
  | "funds_dropped"
  | "underpaid"
  | "provider_declined"
  | "provider_unavailable"
  | "resolved_succeeded"
  | "resolved_failed"
  | "expire";

/** `processing`: all that was asked for has been seen, or the quote has ended and what was seen is not confirmed yet. */
export const TOPUP_TRANSITIONS = {
  requires_payment: {
    provider_instructions: "requires_payment",
    part_seen: "requires_payment",
    part_payment: "requires_payment",
    funds_seen: "processing",
    await_confirmation: "processing",
    funds_confirmed: "succeeded",
    funds_dropped: "requires_payment",
    underpaid: "failed",
    provider_declined: "failed",
    provider_unavailable: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    expire: "expired",
  },
  processing: {
    funds_seen: "processing",
    part_confirmed: "processing",
    part_dropped: "processing",
    funds_confirmed: "succeeded",
    funds_dropped: "requires_payment",
    underpaid: "failed",
    provider_declined: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    expire: "expired",
  },
  succeeded: {},
  failed: {},
  expired: {},
} as const satisfies TransitionTable<TopupStatus, TopupTrigger>;
