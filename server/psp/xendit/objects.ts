// Xendit's objects, as far as the adapter reads them.
import { z } from "zod";

const text = z.string().max(2048);
const currency = z.string().regex(/^[A-Z]{3}$/);
const amount = z.number().nonnegative();

/** The members of every object that the adapter creates. */
const owned = {
  id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  reference_id: z.string(),
  business_id: z.string(),
  status: z.string(),
  amount,
  currency,
  /** ISO 8601. */
  created: z.string(),
  failure_code: z.string().nullish(),
};

/** What a channel returns to be shown to the payer. */
const channelProperties = z.object({
  qr_string: text.nullish().catch(null),
  virtual_account_number: text.nullish().catch(null),
  customer_name: text.nullish().catch(null),
  expires_at: z.iso.datetime({ offset: true }).nullish().catch(null),
});
const channel = z.object({ channel_properties: channelProperties.nullish() }).nullish().catch(null);

const action = z.object({
  action: z.string(),
  url_type: z.string(),
  method: z.string().nullish(),
  url: text.nullish(),
});

export const paymentRequest = z.object({
  ...owned,
  payment_method: z.object({ type: z.string(), qr_code: channel, virtual_account: channel }),
  actions: z.array(action).nullish().catch(null),
});

export const payout = z.object({ ...owned, channel_code: z.string() });

/** The documentation shows a list of payouts as an array, the SDK's types as an object. */
export const page = z.union([
  z.object({ data: z.array(z.unknown()), has_more: z.boolean().nullish() }),
  z.array(z.unknown()).transform((data) => ({ data, has_more: false })),
]);

/** Any list whose first item names its business. */
export const ownedList = z.object({ data: z.array(z.looseObject({ business_id: z.string() })) });

export type XenditPayment = z.infer<typeof paymentRequest>;
export type XenditPayout = z.infer<typeof payout>;
