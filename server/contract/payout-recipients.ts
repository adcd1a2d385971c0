// What the dashboard sends about saved recipients and the payouts to them.
import { z } from "zod";
import { amount, country, currency, merchantReference, object, text } from "./fields";
import { accountNumber } from "./payout-intents";

/** Trimmed: surrounding blanks are invisible, and another name to a bank. */
const trimmed = (longest: number) => z.string({ error: "must be a string" }).trim().pipe(text(1, longest));

export const saveRecipientBody = object({
  holder_name: trimmed(255),
  account_number: z.string({ error: "must be a string" }).trim().pipe(accountNumber),
  bank_code: trimmed(64),
  country,
  currency,
});

export const payRecipientBody = object({
  recipient_id: z.string({ error: "must be a string" }).max(64),
  amount,
  merchant_reference: merchantReference,
});
