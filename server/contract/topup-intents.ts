import { z } from "zod";
import { FEE_MODES } from "@/server/domain/fx";
import { SOURCE_TYPES } from "@/server/domain/topup-intent";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import {
  amount,
  amountOut,
  country,
  countryOut,
  currency,
  currencyOut,
  EXTENSION,
  environment,
  failureMembers,
  idOf,
  kindOf,
  merchantReference,
  object,
  resourceTimes,
  text,
  timestamp,
  tokenSymbol,
} from "./fields";

const SOURCE_TYPE = "How the payer pays.";

export const createTopupIntentBody = object({
  destination: object({ amount, currency }).meta({ description: "What your wallet is to receive." }),
  source: object({
    type: z.literal("provider_gateway", { error: "must be provider_gateway" }).meta({ description: SOURCE_TYPE }),
    provider: text(1, 64)
      .optional()
      .meta({ description: "A provider's name. Without it, the operator's routing chooses." }),
    currency: tokenSymbol,
    network: text(1, 64)
      .optional()
      .meta({ description: "The token's network. Without it, the provider's first.", examples: ["tron"] }),
  }).meta({ description: "What the payer is to send." }),
  country,
  merchant_reference: merchantReference.optional(),
}).meta({ id: "CreateTopupIntent" });

export const topupIntentResource = z
  .object({
    object: kindOf("topup_intent"),
    id: idOf("tuin"),
    status: z.enum(TOPUP_STATUSES).meta({ description: "`succeeded`, `failed` and `expired` are final." }),
    environment,
    country: countryOut.meta(EXTENSION),
    merchant_reference: z
      .string()
      .nullable()
      .meta({ ...EXTENSION, description: "Your own id of it; null if you gave none." }),
    ...resourceTimes,
    expires_at: timestamp.meta({ description: "The time until which the payer can pay." }),
    ...failureMembers,
    destination: z
      .object({
        amount: amountOut.meta({ description: "The sum that was asked for, in minor units." }),
        credited_amount: amountOut.meta({ description: "The sum that the wallet has got so far, in minor units." }),
        currency: currencyOut,
        merchant_id: z.string().meta({ description: "The merchant whose wallet it is." }),
      })
      .meta({ description: "What your wallet receives." }),
    fx: z
      .object({
        source_currency: currencyOut.meta({ description: "The token that the payer sends." }),
        destination_currency: currencyOut.meta({ description: "The currency of the wallet." }),
        rate: z
          .string()
          .regex(/^\d+\.\d{6}$/)
          .meta({ description: "Units of the wallet's currency for one unit of the token." }),
        spread_amount: amountOut.meta({
          description: "The operator's spread, in minor units of the wallet's currency.",
        }),
      })
      .meta({ description: "The conversion, fixed at creation." }),
    source: z
      .object({
        type: z.enum(SOURCE_TYPES).meta({ description: SOURCE_TYPE }),
        provider: z.string().meta({ description: "The provider that takes the payment." }),
        amount: amountOut.meta({ description: "The sum that the payer sends, in minor units of the token." }),
        currency: currencyOut,
        expires_at: timestamp.meta({ description: "The time until which the offer holds." }),
        fee_amount: amountOut.meta({ description: "The provider's fee, in minor units of the token." }),
        fee_mode: z.enum(FEE_MODES).meta({
          description:
            "Who bears the fee: the operator (`absorbed`), the payer (`added`), or your credit (`deducted`).",
        }),
      })
      .meta({ description: "What the payer sends." }),
    next_action: z
      .object({
        type: z.literal("display_crypto_payment_instructions").meta({ description: "What the payer must do." }),
        address: z.string().meta({ description: "The address to send the tokens to." }),
        amount: amountOut.meta({
          description: "What remains to be paid, in minor units of the token; `0` if nothing.",
        }),
        currency: currencyOut,
        network: z.string().meta({ description: "The network to send the tokens over." }),
        expires_at: timestamp.meta({ description: "The time until which the payer can pay." }),
      })
      .nullable()
      .meta({
        description: "Instructions for the payer; null until the provider returns an address.",
      }),
  })
  .meta({ id: "TopupIntent" });

export type CreateTopupIntentBody = z.infer<typeof createTopupIntentBody>;
export type TopupIntentResource = z.infer<typeof topupIntentResource>;
