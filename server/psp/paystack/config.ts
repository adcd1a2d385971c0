// The configuration of Paystack: one entry is one integration (account) in one environment.
import { z } from "zod";
import { apiUrl, checkEntry, keyedAccountMembers } from "../config/keyed-account";
import { secret } from "../config/secret";
import { BASE_URL, PAYMENT_ROWS, PAYOUT_ROWS } from "./tables";

export const paystackConfig = z
  .strictObject({
    ...keyedAccountMembers,
    type: z.literal("paystack"),
    /** The integration's id, as in `integration` of Paystack's answers. */
    account: z.string().regex(/^[1-9][0-9]{0,15}$/, "must be the id of the integration, in digits"),
    /** Earlier secret keys whose webhooks are still accepted. */
    webhook_secrets: z.array(secret(20)).max(8).optional(),
    /** Sent for payers without an e-mail address, which Paystack demands. */
    payer_email: z.email("must be an e-mail address").max(254).optional(),
    url: apiUrl(BASE_URL),
  })
  .check(checkEntry((environment) => [`sk_${environment}_`], PAYMENT_ROWS, PAYOUT_ROWS));

/** One Paystack integration, as the operator describes it. */
export type PaystackConfig = z.infer<typeof paystackConfig>;
