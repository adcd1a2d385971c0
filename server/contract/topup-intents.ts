import { z } from "zod";
import { FEE_MODES } from "@/server/domain/fx";
import { SOURCE_TYPES } from "@/server/domain/topup-intent";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
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

export const createTopupIntentBody = object({
  destination: object({ amount, currency }),
  source: object({
    type: z.literal("provider_gateway", { error: "must be provider_gateway" }),
    provider: text(1, 64).optional(),
    currency,
    network: text(1, 64).optional(),
  }),
  country,
  merchant_reference: merchantReference.optional(),
}).meta({ id: "CreateTopupIntent" });

export const topupIntentResource = z
  .object({
    object: z.literal("topup_intent"),
    id: z.string().regex(/^tuin_/),
    status: z.enum(TOPUP_STATUSES),
    environment,
    country: z.string(),
    merchant_reference: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    expires_at: timestamp,
    ...failureMembers,
    destination: z.object({
      amount: amountOut,
      credited_amount: amountOut,
      currency: z.string(),
      merchant_id: z.string(),
    }),
    fx: z.object({
      source_currency: z.string(),
      destination_currency: z.string(),
      rate: z.string().regex(/^\d+\.\d{6}$/),
      spread_amount: amountOut,
    }),
    source: z.object({
      type: z.enum(SOURCE_TYPES),
      provider: z.string(),
      amount: amountOut,
      currency: z.string(),
      expires_at: timestamp,
      fee_amount: amountOut,
      fee_mode: z.enum(FEE_MODES),
    }),
    next_action: z
      .object({
        type: z.literal("display_crypto_payment_instructions"),
        address: z.string(),
        amount: amountOut,
        currency: z.string(),
        network: z.string(),
        expires_at: timestamp,
      })
      .nullable()
      .meta({
        description:
          "Null until the provider returns an address. The amount is what remains to be paid, `0` if nothing is owed.",
      }),
  })
  .meta({ id: "TopupIntent" });

export type CreateTopupIntentBody = z.infer<typeof createTopupIntentBody>;
export type TopupIntentResource = z.infer<typeof topupIntentResource>;
