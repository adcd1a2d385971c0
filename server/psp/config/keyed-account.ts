// The configuration that adapters with an API key of one account in one environment have in common.
import { z } from "zod";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import type { Gateway } from "../gateway";
import { isBaseUrl, isOpenlyReadable } from "./address";
import { commonMembers, covers, merchantId } from "./common";
import { secret } from "./secret";

/**
 * Where a row of an adapter's tables comes from: the provider's OpenAPI document, the types of its official SDK, its
 * documentation, or the published code of its server. `unverified` is general knowledge: what depends on such a row is off by default.
 */
export type RowSource = "openapi" | "sdk" | "docs" | "code" | "unverified";

type Rows = Readonly<Record<string, { readonly source: RowSource }>>;

/** The members of every entry of such an adapter, besides the account's id. */
export const keyedAccountMembers = {
  ...commonMembers,
  secret_key: secret(20),
  environments: z.array(z.enum(ENVIRONMENTS)).length(1, "must name one environment: a key has one").default(["live"]),
  /** Turns on what no source of the provider confirms. */
  unverified: z.boolean().default(false),
};

/** Returns the schema of the API's address. */
export function apiUrl(usual: string) {
  return z.string().refine(isBaseUrl, "must be an address without query, fragment or credentials").default(usual);
}

/** Returns the schema of the accounts of merchants under the operator's account, by merchant. */
export function subAccounts(form: RegExp, message: string) {
  return z
    .record(merchantId, z.string().regex(form, message))
    .refine((accounts) => Object.keys(accounts).length > 0, "must name at least one merchant; omit it for none")
    .optional();
}

interface Entry {
  readonly account?: string;
  readonly merchants?: readonly string[] | undefined;
  readonly sub_accounts?: Readonly<Record<string, string>> | undefined;
  readonly secret_key: string;
  readonly environments: readonly Environment[];
  readonly unverified: boolean;
  readonly url: string;
  /** Absent where no entry may use plain http beyond the loopback. */
  readonly plain_http?: boolean;
  readonly payment_methods: "all" | readonly string[];
  readonly payout_currencies: "all" | readonly string[];
}

interface Checked {
  readonly value: Entry;
  readonly issues: z.core.$ZodRawIssue[];
}

/**
 * Returns the check of an entry: the beginning of the key, which tells its environment, the address, lists that name only what
 * the adapter carries, and a sub-account of its own for each merchant.
 */
export function checkEntry(beginnings: (environment: Environment) => readonly string[], payments: Rows, payouts: Rows) {
  return ({ value, issues }: Checked): void => {
    const fault = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: undefined });
    const starts = value.environments.flatMap(beginnings);
    if (!starts.some((start) => value.secret_key.startsWith(start))) {
      fault("secret_key", `must start with ${starts.join(" or ")}: environments names it`);
    }
    if (isOpenlyReadable(value.url) && value.plain_http !== true) {
      const unless = value.plain_http === undefined ? "" : " or plain_http is true: the key travels over it";
      fault("url", `must use https unless it is on the loopback${unless}`);
    }
    const { sub_accounts: subs } = value;
    if (subs && value.merchants) fault("merchants", "must be omitted: sub_accounts names the merchants");
    const ids = Object.values(subs ?? {});
    if (new Set(ids).size < ids.length) fault("sub_accounts", "must name another account for each merchant");
    if (value.account !== undefined && ids.includes(value.account)) {
      fault("sub_accounts", "must not name account itself: merchants would share the operator's money");
    }
    for (const [name, rows] of [["payment_methods", payments] as const, ["payout_currencies", payouts] as const]) {
      const { [name]: list } = value;
      if (list === "all") continue;
      const unknown = list.some((one) => rows[one] === undefined);
      if (unknown) fault(name, `must be "all" or some of ${Object.keys(rows).join(", ") || "none"}`);
      else if (!value.unverified && list.some((one) => rows[one]?.source === "unverified")) {
        fault(name, 'names what is not verified; set "unverified" to true to use it');
      }
    }
  };
}

/** Returns what an entry offers: the rows that its lists name and that are verified, in its environment. */
export function offersOf(
  entry: Omit<Entry, "secret_key" | "url">,
  payments: Rows,
  payouts: Rows,
): Pick<Gateway, "offersPayment" | "offersPayout"> {
  const isOn = (row: Rows[string] | undefined) =>
    row !== undefined && (entry.unverified || row.source !== "unverified");
  const serves = (environment: Environment) => entry.environments.includes(environment);
  return {
    offersPayment: ({ code }, at) => serves(at) && covers(entry.payment_methods, code) && isOn(payments[code]),
    offersPayout: (currency, at) => serves(at) && covers(entry.payout_currencies, currency) && isOn(payouts[currency]),
  };
}
