// The wire form of wallets and the payment method catalog, both extensions of the interface document.
import { z } from "zod";
import { CUSTOMER_FIELDS } from "@/server/domain/payment-intent";
import { NEXT_ACTION_TYPES } from "@/server/domain/payment-methods";
import { amountOut, countryOut, currencyOut, environment, kindOf } from "./fields";

export const walletList = z
  .object({
    data: z
      .array(
        z.object({
          object: kindOf("wallet"),
          environment: environment.meta({ description: "The environment of the API key." }),
          currency: currencyOut,
          available: amountOut.meta({ description: "Minor units that are available for payouts." }),
          held: amountOut.meta({ description: "Minor units that open payouts hold." }),
        }),
      )
      .meta({ description: "One wallet per currency." }),
  })
  .meta({ id: "WalletList" });

export const paymentMethodList = z
  .object({
    data: z
      .array(
        z.object({
          object: kindOf("payment_method"),
          code: z.string().meta({ description: "The code for `payment_method`." }),
          name: z.string().meta({ description: "The method's name, for people." }),
          country: countryOut,
          currency: currencyOut,
          next_action_type: z.enum(NEXT_ACTION_TYPES).meta({ description: "What the payer will have to do." }),
          minimum_amount: amountOut.meta({ description: "The least sum of a payment, in minor units." }),
          maximum_amount: amountOut.meta({ description: "The largest sum of a payment, in minor units." }),
          expires_in_seconds: z.number().int().meta({ description: "The time that the payer has." }),
          required_customer_fields: z.array(z.enum(CUSTOMER_FIELDS)).meta({
            description: "Members of `customer` that a creation with this method must have.",
          }),
        }),
      )
      .meta({ description: "The methods of the merchant's currencies." }),
  })
  .meta({ id: "PaymentMethodList" });

export type WalletList = z.infer<typeof walletList>;
export type PaymentMethodList = z.infer<typeof paymentMethodList>;
