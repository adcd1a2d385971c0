// The wire form of wallets and the payment method catalog, both extensions of the interface document.
import { z } from "zod";
import { CUSTOMER_FIELDS } from "@/server/domain/payment-intent";
import { NEXT_ACTION_TYPES } from "@/server/domain/payment-methods";
import { amountOut, environment } from "./fields";

export const walletList = z
  .object({
    data: z.array(
      z.object({
        object: z.literal("wallet"),
        environment,
        currency: z.string(),
        available: amountOut.meta({ description: "Minor units that are available for payouts." }),
        held: amountOut.meta({ description: "Minor units that open payouts hold." }),
      }),
    ),
  })
  .meta({ id: "WalletList" });

export const paymentMethodList = z
  .object({
    data: z.array(
      z.object({
        object: z.literal("payment_method"),
        code: z.string(),
        name: z.string(),
        country: z.string(),
        currency: z.string(),
        next_action_type: z.enum(NEXT_ACTION_TYPES),
        minimum_amount: amountOut,
        maximum_amount: amountOut,
        expires_in_seconds: z.number().int(),
        required_customer_fields: z.array(z.enum(CUSTOMER_FIELDS)).meta({
          description: "Members of `customer` that a creation with this method must have.",
        }),
      }),
    ),
  })
  .meta({ id: "PaymentMethodList" });

export type WalletList = z.infer<typeof walletList>;
export type PaymentMethodList = z.infer<typeof paymentMethodList>;
