// The configuration that adapters with an API key of one account in one environment have in common.
import { z } from "zod";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import type { Gateway } from "../gateway";
import { isBaseUrl, isOpenlyReadable } from "./address";
import { commonMembers, covers } from "./common";
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

interface Entry {
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
 * Returns the check of an entry: the beginning of the key, which tells its environment, the address, and lists that name
 * only what the adapter carries.
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
