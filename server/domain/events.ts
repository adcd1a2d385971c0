interface CatalogueItem {
  readonly description: string;
  readonly intent: "payment_intent" | "payout_intent";
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Type → what it means; the only events there are. Examples of failures are the documented pairs. */
export const EVENT_CATALOGUE = {
  "payment_intent.succeeded": {
    description: "The payment intent reached succeeded; funds are credited to the merchant wallet.",
    intent: "payment_intent",
    failure: null,
  },
  "payment_intent.failed": {
    description: "The payment intent reached failed.",
    intent: "payment_intent",
    failure: { code: "provider_declined", message: "The provider declined the payment." },
  },
  "payment_intent.expired": {
    description: "The payment intent expired unpaid within its window.",
    intent: "payment_intent",
    failure: { code: "expired", message: "The payment was not completed in time." },
  },
  "payout_intent.succeeded": {
    description: "The payout settled at the PSP and left the merchant wallet.",
    intent: "payout_intent",
    failure: null,
  },
  "payout_intent.failed": {
    description: "The payout failed at the PSP after dispatch.",
    intent: "payout_intent",
    failure: { code: "provider_declined", message: "The provider declined the payout." },
  },
  "payout_intent.cancelled": {
    description: "The payout was cancelled before dispatch.",
    intent: "payout_intent",
    failure: { code: "cancelled", message: "Duplicate of an earlier payout." },
  },
} as const satisfies Record<string, CatalogueItem>;

export type EventType = keyof typeof EVENT_CATALOGUE;
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as readonly EventType[];
