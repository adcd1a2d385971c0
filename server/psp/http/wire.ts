// Schemas of the reports, errors, quotes and callbacks of an external provider.
import { z } from "zod";
import { AMOUNT_PATTERN } from "@/server/domain/money";

const CONTROL = /\p{Cc}/u;

/** A provider's text that we show or store: well-formed, without control characters. */
function text(maximum: number) {
  return z
    .string()
    .min(1)
    .max(maximum)
    .refine((value) => value.isWellFormed() && !CONTROL.test(value));
}

const ascii = (maximum: number) =>
  z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .max(maximum);
const amount = z.string().regex(AMOUNT_PATTERN);
const currency = z.string().regex(/^[A-Z]{3,6}$/);
const expiry = { expires_at: z.iso.datetime({ offset: true }).optional() };

const core = {
  reference: ascii(64),
  provider_reference: ascii(255).nullish(),
  code: ascii(100).nullish(),
  message: z.string().nullish(),
  intent_amount: amount.nullish(),
  intent_currency: currency.nullish(),
};
const sum = { amount, currency };

const paymentNextAction = z.discriminatedUnion("type", [
  z.object({ type: z.literal("redirect_to_url"), url: z.string().max(2048), ...expiry }),
  z.object({ type: z.literal("display_qr_code"), data: text(2048), ...expiry }),
  z.object({
    type: z.literal("display_bank_transfer_instructions"),
    reference: text(140),
    financial_addresses: z
      .array(
        z.object({
          network: text(64),
          bank_name: text(140),
          bank_code: text(64),
          account_number: text(64),
          account_holder_name: text(140),
        }),
      )
      .min(1)
      .max(10),
    ...expiry,
  }),
]);
export type WirePaymentNextAction = z.infer<typeof paymentNextAction>;

const pending = z.object({ ...core, status: z.literal("pending") });
const declined = z.object({ ...core, status: z.literal("declined") });
const expired = z.object({ ...core, status: z.literal("expired") });
const cancelled = z.object({ ...core, status: z.literal("cancelled") });
const succeeded = z.object({ ...core, ...sum, status: z.literal("succeeded") });
/** Version 2 of the protocol: incoming money has an id. */
const identified = succeeded.extend({ receipt_id: ascii(255) });
const settled = z.object({ ...core, ...sum, status: z.literal("settled") });
/** A payout can be returned in parts, which only their references distinguish. */
const returned = z.object({ ...core, ...sum, provider_reference: ascii(255), status: z.literal("returned") });
const invalidRecipient = z.object({ ...core, status: z.literal("invalid_recipient") });
const fundsSeen = z.object({ ...core, ...sum, status: z.literal("funds_seen"), confirmed: z.boolean() });
/** The remaining amount can be zero. */
const remaining = z.string().regex(/^(0|[1-9][0-9]{0,29})$/);
const fundsDropped = z.object({ ...core, amount: remaining, currency, status: z.literal("funds_dropped") });

const paymentInstructions = z.object({
  ...core,
  status: z.literal("requires_action"),
  next_action: paymentNextAction,
});

/** A payment's state in the answer to a creation or a query, by protocol version. */
export const paymentReport = {
  1: z.discriminatedUnion("status", [paymentInstructions, pending, succeeded, declined, cancelled, expired]),
  2: z.discriminatedUnion("status", [paymentInstructions, pending, identified, declined, cancelled, expired]),
};
export type ProtocolVersion = keyof typeof paymentReport;

export const payoutReport = z.discriminatedUnion("status", [pending, settled, declined, invalidRecipient, returned]);

/** A refund comes back whole, so its return needs no reference of its own. */
const refundReturned = z.object({ ...core, ...sum, status: z.literal("returned") });
export const refundReport = z.discriminatedUnion("status", [pending, settled, declined, refundReturned]);

export const topupReport = z.discriminatedUnion("status", [
  z.object({
    ...core,
    status: z.literal("requires_action"),
    next_action: z.object({ address: z.string().regex(/^[\x21-\x7e]{10,200}$/), network: ascii(32), ...expiry }),
  }),
  pending,
  fundsSeen,
  fundsDropped,
  declined,
  expired,
]);

/** Callbacks carry no instructions: we query those. A payout has none, so its callback is its report. */
const envelope = { callback_id: z.string().regex(/^[\x21-\x7e]{1,128}$/), merchant_id: ascii(64) };
export const callbackEnvelope = z.object(envelope);
export const callbackCore = z.object({ ...envelope, reference: ascii(64) });
export const paymentCallback = {
  1: z.discriminatedUnion("status", [pending, succeeded, declined, cancelled, expired]),
  2: z.discriminatedUnion("status", [pending, identified, declined, cancelled, expired]),
};
export const topupCallback = z.discriminatedUnion("status", [pending, fundsSeen, fundsDropped, declined, expired]);

export type PaymentReport = z.infer<(typeof paymentReport)[ProtocolVersion]>;
export type PayoutReport = z.infer<typeof payoutReport>;
export type RefundReport = z.infer<typeof refundReport>;
export type TopupReport = z.infer<typeof topupReport>;

/** The body of a 4xx; `code` is one of the protocol's, `provider_code` the provider's own. */
export const errorBody = z.object({
  error: z.object({
    code: z.string().max(64),
    message: z.string().nullish(),
    provider_code: ascii(100).nullish(),
    provider_reference: ascii(255).nullish(),
  }),
});
export type WireError = z.infer<typeof errorBody>["error"];

export const quote = z.object({
  rate: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,14})\.[0-9]{6}$/)
    .regex(/[1-9]/),
  fee_basis_points: z.int().min(0).max(5_000),
  networks: z
    .array(z.string().regex(/^[a-z0-9_-]{1,32}$/))
    .min(1)
    .max(16),
});
