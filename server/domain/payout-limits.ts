// Limits of new payouts in one currency: of a merchant as a whole, of each of its recipients, and of an API key.

/** What a row of limits applies to: the merchant, or the API key of an id. */
export type LimitSubject = "merchant" | { readonly apiKeyId: string };

/** In minor units; null is no limit. A day is a UTC day, without the payouts that were cancelled or failed. */
export interface PayoutLimits {
  /** The largest payout. */
  readonly amountAtMost: bigint | null;
  /** All payouts of a day. */
  readonly dayAtMost: bigint | null;
  /** All payouts of a day to one account at one bank; only for a merchant. */
  readonly recipientDayAtMost: bigint | null;
}

export const NO_PAYOUT_LIMITS: PayoutLimits = { amountAtMost: null, dayAtMost: null, recipientDayAtMost: null };

/** True if nothing is limited. */
export function isUnlimited({ amountAtMost, dayAtMost, recipientDayAtMost }: PayoutLimits): boolean {
  return amountAtMost === null && dayAtMost === null && recipientDayAtMost === null;
}
