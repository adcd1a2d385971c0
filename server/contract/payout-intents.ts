import { z } from "zod";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
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

const accountNumber = z
  .string({ error: "must be a string" })
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ./-]{3,62})[A-Za-z0-9]$/, {
    error: "must have 5 to 64 letters, digits, spaces, dots, slashes or hyphens",
  })
  .meta({ description: "Stored encrypted; responses show only the last four characters." });

export const createPayoutIntentBody = object({
  amount,
  currency,
  country,
  merchant_reference: merchantReference,
  recipient: object({
    type: z.literal("bank_account", { error: "must be bank_account" }),
    account_number: accountNumber,
    bank_code: text(1, 64),
    holder_name: text(1, 255),
  }),
}).meta({ id: "CreatePayoutIntent" });

export const cancelPayoutIntentBody = object({
  reason: text(0, 512).optional(),
}).meta({ id: "CancelPayoutIntent" });

export const payoutIntentResource = z
  .object({
    object: z.literal("payout_intent"),
    id: z.string().regex(/^word_/),
    amount: amountOut,
    currency: z.string(),
    country: z.string(),
    environment,
    status: z.enum(PAYOUT_STATUSES),
    merchant_reference: z.string(),
    recipient: z.object({
      type: z.literal("bank_account"),
      account_last4: z.string(),
      bank_code: z.string(),
      holder_name: z.string(),
    }),
    ...failureMembers,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "PayoutIntent" });

export type CreatePayoutIntentBody = z.infer<typeof createPayoutIntentBody>;
export type PayoutIntentResource = z.infer<typeof payoutIntentResource>;
