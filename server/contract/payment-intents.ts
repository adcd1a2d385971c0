import { z } from "zod";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import {
  amount,
  amountOut,
  country,
  currency,
  environment,
  failureMembers,
  merchantReference,
  object,
  text,
  timestamp,
} from "./fields";

export const paymentMethodCode = z
  .string({ error: "must be a string" })
  .regex(/^[A-Z]{2}_[A-Z0-9_]{2,40}$/, { error: "must be a method code such as BR_PIX" })
  .meta({ examples: ["BR_PIX"] });

export const createPaymentIntentBody = object({
  amount,
  currency,
  country,
  payment_method: paymentMethodCode,
  merchant_reference: merchantReference,
  customer: object({
    name: text(0, 255).optional(),
    email: text(0, 255).optional(),
    reference: text(0, 255).optional(),
    document: text(0, 64)
      .optional()
      .meta({ description: "Extension: the payer's tax or identity number, where a method requires it." }),
  }).optional(),
}).meta({ id: "CreatePaymentIntent" });

const paymentNextAction = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("redirect_to_url"), url: z.string(), expires_at: timestamp }),
    z.object({
      type: z.literal("display_qr_code"),
      data: z.string().meta({ description: "The raw code, to copy and paste." }),
      image_url_png: z.string(),
      image_url_svg: z.string(),
      hosted_instructions_url: z.string(),
      expires_at: timestamp,
    }),
    z.object({
      type: z.literal("display_bank_transfer_instructions"),
      amount: amountOut,
      currency: z.string(),
      reference: z.string(),
      financial_addresses: z.array(
        z.object({
          network: z.string(),
          bank_name: z.string(),
          bank_code: z.string(),
          account_number: z.string(),
          account_holder_name: z.string(),
        }),
      ),
      hosted_instructions_url: z.string(),
      expires_at: timestamp,
    }),
  ])
  .meta({ id: "PaymentNextAction" });

export const paymentIntentResource = z
  .object({
    object: z.literal("payment_intent"),
    id: z.string().regex(/^dord_/),
    amount: amountOut,
    currency: z.string(),
    country: z.string(),
    environment,
    status: z.enum(PAYMENT_STATUSES),
    merchant_reference: z.string(),
    payment_method: z.string(),
    next_action: paymentNextAction.nullable(),
    ...failureMembers,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "PaymentIntent" });

export type CreatePaymentIntentBody = z.infer<typeof createPaymentIntentBody>;
export type PaymentIntentResource = z.infer<typeof paymentIntentResource>;
