// The messages of the provider protocol as plain values, and what a caller can receive instead of one.

/** A provider's report on one intent. Amounts are minor units as text. */
export interface Report {
  readonly status: string;
  readonly provider_reference?: string;
  /** Protocol version 2: identifies incoming money. The same id is the same money. */
  readonly receipt_id?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly confirmed?: boolean;
  /** Present with `requires_action`; the transport adds instructions in the requested form. */
  readonly next_action?: "instructions";
}

/** `not_accepted` answers a creation; `unknown_reference` answers a query. Both claim that nothing was accepted. */
type RefusalCode = "declined" | "invalid_recipient" | "not_accepted" | "unknown_reference";

/**
 * What the caller receives: a report, a definite refusal, a clear answer without news, no answer, an unreadable message, or
 * no connection at all.
 */
export type Answer =
  | { readonly kind: "report"; readonly report: Report; readonly fact: number }
  | { readonly kind: "refusal"; readonly code: RefusalCode }
  | { readonly kind: "no_news" }
  | { readonly kind: "silence" }
  | { readonly kind: "garbage" }
  | { readonly kind: "unsent" };

/** One report on its way to the merchant's service, by callback or as a delayed answer. */
export interface Delivery {
  readonly report: Report;
  /** Position of the fact in the provider's history; a smaller number is older. */
  readonly fact: number;
  /** The tick of the call that this answers; null for a callback. */
  readonly askedAt: number | null;
  /** Sent by a provider that had refused the intent. */
  readonly isFormer: boolean;
}

/** Every report status that a provider of each kind can send (docs/provider-protocol.md, "Reports"). */
export const REPORT_STATUSES = {
  payment: ["requires_action", "pending", "succeeded", "declined", "cancelled", "expired"],
  payout: ["pending", "settled", "returned", "declined", "invalid_recipient"],
  topup: ["requires_action", "funds_seen", "funds_dropped", "declined", "expired"],
} as const;
