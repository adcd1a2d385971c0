import { z } from "zod";
import { amount, currency, object } from "./fields";

/** The limits of the merchant's payouts, or of an API key's, in a currency; null is no limit. */
export const payoutLimitsBody = object({
  api_key_id: z.string().max(64).nullable(),
  currency,
  amount_at_most: amount.nullable(),
  day_at_most: amount.nullable(),
  recipient_day_at_most: amount.nullable(),
});
