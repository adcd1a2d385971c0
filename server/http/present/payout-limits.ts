// The form in which people see a limit of payouts.
import type { SubjectLimits } from "@/server/services/payout-limits/limits";

/** Presents limits in minor units; null is no limit. `api_key_id` is null for the merchant's. */
export function presentPayoutLimits({ subject, currency, limits }: SubjectLimits) {
  return {
    api_key_id: subject === "merchant" ? null : subject.apiKeyId,
    currency,
    amount_at_most: limits.amountAtMost?.toString() ?? null,
    day_at_most: limits.dayAtMost?.toString() ?? null,
    recipient_day_at_most: limits.recipientDayAtMost?.toString() ?? null,
  };
}
