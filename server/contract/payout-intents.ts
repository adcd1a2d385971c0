import { z } from "zod";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import {
  amount,
  amountOut,
  country,
  countryOut,
  currency,
  currencyOut,
  environment,
  failureMembers,
  idOf,
  kindOf,
  merchantReference,
  merchantReferenceOut,
  object,
  resourceTimes,
  text,
} from "./fields";

const RECIPIENT_TYPE = "The kind of recipient.";
const BANK_CODE = "The bank's code in its country.";
const HOLDER = "The name of the account's holder.";

export const accountNumber = z
  .string({ error: "must be a string" })
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ./-]{3,62})[A-Za-z0-9]$/, {
    error: "must have 5 to 64 letters, digits, spaces, dots, slashes or hyphens",
  })
  .meta({
    description: "The account's number. Stored encrypted; answers show only the last four characters.",
    examples: ["000123456789"],
  });

export const createPayoutIntentBody = object({
  amount,
  currency,
  country,
  merchant_reference: merchantReference,
  recipient: object({
    type: z.literal("bank_account", { error: "must be bank_account" }).meta({ description: RECIPIENT_TYPE }),
    account_number: accountNumber,
    bank_code: text(1, 64).meta({ description: BANK_CODE, examples: ["001"] }),
    holder_name: text(1, 255).meta({ description: HOLDER, examples: ["Ana Souza"] }),
  }).meta({ description: "The bank account that gets the money." }),
}).meta({ id: "CreatePayoutIntent" });

export const cancelPayoutIntentBody = object({
  reason: text(0, 512)
    .optional()
    .meta({
      description: "Why, for people: shown in `failure_message`, the dashboard, the audit log and the event.",
      examples: ["duplicate invoice"],
    }),
}).meta({ id: "CancelPayoutIntent" });

export const payoutIntentResource = z
  .object({
    object: kindOf("payout_intent"),
    id: idOf("word"),
    amount: amountOut,
    currency: currencyOut,
    country: countryOut,
    environment,
    status: z.enum(PAYOUT_STATUSES).meta({
      description: "`requires_approval` is the approval gate. `succeeded`, `failed` and `cancelled` are final.",
    }),
    merchant_reference: merchantReferenceOut,
    recipient: z
      .object({
        type: z.literal("bank_account").meta({ description: RECIPIENT_TYPE }),
        account_last4: z.string().meta({ description: "The last four characters of the account's number." }),
        bank_code: z.string().meta({ description: BANK_CODE }),
        holder_name: z.string().meta({ description: HOLDER }),
      })
      .meta({ description: "The bank account that gets the money." }),
    ...failureMembers,
    ...resourceTimes,
  })
  .meta({ id: "PayoutIntent" });

export type CreatePayoutIntentBody = z.infer<typeof createPayoutIntentBody>;
export type PayoutIntentResource = z.infer<typeof payoutIntentResource>;
