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
    /** Ids of payment methods, by our codes, where they differ from the table's or no page shows them. */
    method_ids: z
      .record(
        z.string().refine((code) => Object.hasOwn(PAYMENT_ROWS, code), "is not a method of the adapter"),
        z.string().regex(/^[A-Z0-9]{1,10}$/, "must be a payment_method_id: 1 to 10 of A-Z and 0-9"),
      )
      .default({}),
    /** Absent: the host of the environment. */
    url: z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials").optional(),
  })
  .transform(({ url, ...entry }) => ({ ...entry, url: url ?? BASE_URLS[entry.environments[0] ?? "live"] }))
  .check(checkEntry(ANY_KEY, PAYMENT_ROWS, {}), ({ value, issues }) => {
    const other = value.environments.includes("live") ? BASE_URLS.test : BASE_URLS.live;
    if (new URL(value.url).host !== new URL(other).host) return;
    issues.push({ code: "custom", path: ["url"], message: "is the host of the other environment", input: undefined });
  })
  .check(({ value, issues }) => {
    const { payment_methods: list, method_ids } = value;
    const nameless = (list === "all" ? [] : list).filter(
      (code) => PAYMENT_ROWS[code]?.id === null && !method_ids[code],
    );
    if (nameless.length === 0) return;
    const message = `names ${nameless.join(", ")}, whose id no page shows: name it in method_ids`;
    issues.push({ code: "custom", path: ["payment_methods"], message, input: undefined });
  });

/** One account at dLocal, as the operator describes it. */
export type DlocalConfig = z.infer<typeof dlocalConfig>;
