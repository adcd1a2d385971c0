// The configuration of BTCPay Server: one entry is one store of one server.
import { z } from "zod";
import { isBaseUrl } from "../config/address";
import { currency } from "../config/common";
import { checkEntry, keyedAccountMembers } from "../config/keyed-account";
import { secret } from "../config/secret";
import { TOPUP_ROWS } from "./tables";

const source = z.string().refine((token) => Object.hasOwn(TOPUP_ROWS, token), {
  error: `must be one of ${Object.keys(TOPUP_ROWS).join(", ")}`,
});

/** BTCPay's policies for the number of confirmations; without confirmations nothing is safe. */
export const SPEED_POLICIES: Readonly<Record<number, string>> = {
  1: "MediumSpeed",
  2: "LowMediumSpeed",
  6: "LowSpeed",
};

export const btcpayConfig = z
  .strictObject({
    ...keyedAccountMembers,
    type: z.literal("btcpay"),
    /** The id of the store. */
    account: z.string().regex(/^[A-Za-z0-9]{20,64}$/, "must be the id of the store"),
    /** The secrets of the store's webhooks; several while one is being replaced. */
    webhook_secrets: z.array(secret(16)).min(1, "must name at least one secret").max(8),
    url: z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials"),
    /** The address at which people open the server: with it, intents link to their invoices. */
    dashboard_url: z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials").optional(),
    /** Allows plain http to a server that is not on the loopback, as within a private network. */
    plain_http: z.boolean().default(false),
    topups: z
      .array(z.strictObject({ source, destination: currency }))
      .min(1, "must name at least one pair of a token and a currency"),
    /** Confirmations after which a payment counts as confirmed; absent for those of each token. */
    confirmations: z.union([z.literal(1), z.literal(2), z.literal(6)], { error: "must be 1, 2 or 6" }).optional(),
    /** How long BTCPay waits for confirmations after the end of a quote, in days. */
    monitoring_days: z.int().min(1).max(365).default(30),
  })
  // A key does not tell its environment.
  .check(checkEntry(() => [""], {}, {}));

/** One store, as the operator describes it. */
export type BtcpayConfig = z.infer<typeof btcpayConfig>;
