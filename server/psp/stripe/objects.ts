// Stripe's objects, as far as the adapter reads them.
import { z } from "zod";

/** A sum in Stripe's units: JSON numbers beyond 2^53 are not exact. */
const units = z.number().refine((value) => Number.isSafeInteger(value) && value >= 0);
const metadata = z.record(z.string(), z.string()).catch({});
const text = z.string().max(4096);

const address = z.looseObject({ type: z.string() });

const nextAction = z.looseObject({
  type: z.string(),
  pix_display_qr_code: z.object({ data: text.optional() }).optional().catch(undefined),
  promptpay_display_qr_code: z.object({ data: text }).optional().catch(undefined),
  paynow_display_qr_code: z.object({ data: text }).optional().catch(undefined),
  upi_handle_redirect_or_display_qr_code: z.object({ hosted_instructions_url: text }).optional().catch(undefined),
  display_bank_transfer_instructions: z
    .object({
      amount_remaining: units.nullable(),
      reference: text.nullable(),
      financial_addresses: z.array(address).default([]),
    })
    .optional()
    .catch(undefined),
});

export const paymentIntent = z.object({
  id: z.string().regex(/^pi_[A-Za-z0-9_]{1,120}$/),
  object: z.literal("payment_intent"),
  status: z.string(),
  amount: units,
  amount_received: units,
  currency: z.string().regex(/^[a-z]{3}$/),
  livemode: z.boolean(),
  metadata,
  next_action: nextAction.nullish(),
  last_payment_error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish().catch(null),
});

export const checkoutSession = z.object({
  id: z.string().regex(/^cs_[A-Za-z0-9_]{1,120}$/),
  object: z.literal("checkout.session"),
  status: z.string().nullable(),
  livemode: z.boolean(),
  client_reference_id: z.string().nullable(),
  metadata: metadata.nullable(),
  url: z.string().max(4096).nullable(),
  /** Expanded; null before the payer has chosen to pay. */
  payment_intent: paymentIntent.nullable(),
});

export const refund = z.object({
  id: z.string().regex(/^(re|pyr)_[A-Za-z0-9_]{1,120}$/),
  object: z.literal("refund"),
  status: z.string().nullable(),
  amount: units,
  currency: z.string().regex(/^[a-z]{3}$/),
  /** Not expanded. */
  payment_intent: z.string().nullable(),
  metadata: metadata.nullable(),
  failure_reason: z.string().nullish().catch(null),
});

export const account = z.object({ id: z.string(), object: z.literal("account") });
export const customer = z.object({ id: z.string().regex(/^cus_[A-Za-z0-9_]{1,120}$/), livemode: z.boolean() });

/** A page of a list; items are read one by one, since most are not ours. */
export const page = z.object({
  object: z.literal("list"),
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string(), metadata: metadata.nullish() })),
});

export type StripeRefund = z.infer<typeof refund>;
export type StripeIntent = z.infer<typeof paymentIntent>;
export type StripeSession = z.infer<typeof checkoutSession>;
export type StripeAddress = z.infer<typeof address>;
