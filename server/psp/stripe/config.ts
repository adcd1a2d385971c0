// The configuration of Stripe: one entry is one account in one environment.
import { z } from "zod";
import { apiUrl, checkEntry, keyedAccountMembers, subAccounts } from "../config/keyed-account";
import { secret } from "../config/secret";
import { BASE_URL, PAYMENT_ROWS } from "./tables";

const ACCOUNT = /^acct_[A-Za-z0-9]{1,64}$/;

export const stripeConfig = z
  .strictObject({
    ...keyedAccountMembers,
    type: z.literal("stripe"),
    account: z.string().regex(ACCOUNT, "must be the id of the account: acct_ and its characters"),
    /** The connected accounts of merchants: payments are direct charges on them. */
    sub_accounts: subAccounts(ACCOUNT, "must be the id of a connected account: acct_ and its characters"),
    /** The signing secrets of the webhook endpoint; several while one is being replaced. */
    webhook_secrets: z.array(secret(20)).min(1, "must name at least one secret").max(8),
    url: apiUrl(BASE_URL),
  })
  .check(checkEntry((environment) => [`sk_${environment}_`, `rk_${environment}_`], PAYMENT_ROWS, {}));

/** One Stripe account, as the operator describes it. */
export type StripeConfig = z.infer<typeof stripeConfig>;
