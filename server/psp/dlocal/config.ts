// The configuration of dLocal: one entry is one account in one environment.
import { z } from "zod";
import { isBaseUrl } from "../config/address";
import { checkEntry, keyedAccountMembers } from "../config/keyed-account";
import { secret } from "../config/secret";
import { BASE_URLS, PAYMENT_ROWS } from "./tables";

/** Nothing in a key tells its environment; the host does, and it refuses the keys of the other one. */
const ANY_KEY = () => [""];

export const dlocalConfig = z
  .strictObject({
    ...keyedAccountMembers,
    type: z.literal("dlocal"),
    /** The `X-Login`, which identifies the account in every call. */
    account: z.string().regex(/^[A-Za-z0-9._-]{4,64}$/, "must be the X-Login: 4 to 64 of letters, digits, ., _ and -"),
    /** The `X-Trans-Key`. */
    trans_key: secret(4),
    /** Earlier secret keys whose notifications are still accepted. */
    webhook_secrets: z.array(secret(20)).max(8).optional(),
    /** Absent: the host of the environment. */
    url: z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials").optional(),
  })
  .transform(({ url, ...entry }) => ({ ...entry, url: url ?? BASE_URLS[entry.environments[0] ?? "live"] }))
  .check(checkEntry(ANY_KEY, PAYMENT_ROWS, {}), ({ value, issues }) => {
    const other = value.environments.includes("live") ? BASE_URLS.test : BASE_URLS.live;
    if (new URL(value.url).host !== new URL(other).host) return;
    issues.push({ code: "custom", path: ["url"], message: "is the host of the other environment", input: undefined });
  });

/** One account at dLocal, as the operator describes it. */
export type DlocalConfig = z.infer<typeof dlocalConfig>;
