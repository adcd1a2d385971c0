// The configuration of Paystack: one entry is one integration (account) in one environment.
import { z } from "zod";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { commonMembers } from "../config/common";
import { secret } from "../config/secret";
import { isBaseUrl, isOpenlyReadable } from "../http/config";
import { BASE_URL, PAYMENT_ROWS, PAYOUT_ROWS, type RowSource } from "./tables";

const isCarried = (rows: Readonly<Record<string, { readonly source: RowSource }>>, list: "all" | readonly string[]) =>
  list === "all" || list.every((one) => rows[one] !== undefined);
const isVerified = (rows: Readonly<Record<string, { readonly source: RowSource }>>, list: "all" | readonly string[]) =>
  list === "all" || list.every((one) => rows[one]?.source !== "unverified");

export const paystackConfig = z
  .strictObject({
    ...commonMembers,
    type: z.literal("paystack"),
    secret_key: secret(20),
    /** The integration's id, as in `integration` of Paystack's answers. */
    account: z.string().regex(/^[1-9][0-9]{0,15}$/, "must be the id of the integration, in digits"),
    environments: z.array(z.enum(ENVIRONMENTS)).length(1, "must name one environment: a key has one").default(["live"]),
    /** Earlier secret keys whose webhooks are still accepted. */
    webhook_secrets: z.array(secret(20)).max(8).optional(),
    /** Sent for payers without an e-mail address, which Paystack demands. */
    payer_email: z.email("must be an e-mail address").max(254).optional(),
    /** Turns on what no source of Paystack confirms. */
    unverified: z.boolean().default(false),
    url: z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials").default(BASE_URL),
  })
  .check(({ value, issues }) => {
    const fault = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: undefined });
    const prefix = `sk_${value.environments[0]}_`;
    if (!value.secret_key.startsWith(prefix)) fault("secret_key", `must start with ${prefix}: environments names it`);
    if (isOpenlyReadable(value.url)) fault("url", "must use https unless it is on the loopback");
    const lists = [
      ["payment_methods", PAYMENT_ROWS],
      ["payout_currencies", PAYOUT_ROWS],
    ] as const;
    for (const [name, rows] of lists) {
      if (!isCarried(rows, value[name])) fault(name, `must be "all" or some of ${Object.keys(rows).join(", ")}`);
      else if (!value.unverified && !isVerified(rows, value[name]))
        fault(name, 'names what is not verified; set "unverified" to true to use it');
    }
  });

/** One Paystack integration, as the operator describes it. */
export type PaystackConfig = z.infer<typeof paystackConfig>;
