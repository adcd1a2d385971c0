// The configuration of Xendit: one entry is one business in one environment.
import { z } from "zod";
import { apiUrl, checkEntry, keyedAccountMembers, subAccounts } from "../config/keyed-account";
import { secret } from "../config/secret";
import { BASE_URL, PAYMENT_ROWS, PAYOUT_ROWS } from "./tables";

const MODES = { live: "production", test: "development" } as const;

const BUSINESS = /^[0-9a-f]{24}$/;

export const xenditConfig = z
  .strictObject({
    ...keyedAccountMembers,
    type: z.literal("xendit"),
    /** The id of the business, as in `business_id` of Xendit's answers. */
    account: z.string().regex(BUSINESS, "must be the id of the business: 24 of 0-9 and a-f"),
    /** The sub-accounts of merchants on xenPlatform. */
    sub_accounts: subAccounts(BUSINESS, "must be the id of a sub-account: 24 of 0-9 and a-f"),
    /** The verification tokens of webhooks; several while one is being replaced. */
    webhook_tokens: z.array(secret(20)).min(1, "must name at least one token").max(8),
    /** Sent for payers without a name, which virtual accounts demand. */
    payer_name: z.string().trim().min(1).max(50).optional(),
    url: apiUrl(BASE_URL),
  })
  .check(checkEntry((environment) => [`xnd_${MODES[environment]}_`], PAYMENT_ROWS, PAYOUT_ROWS));

/** One business at Xendit, as the operator describes it. */
export type XenditConfig = z.infer<typeof xenditConfig>;
