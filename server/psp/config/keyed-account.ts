// The configuration that adapters with an API key of one account in one environment have in common.
import { z } from "zod";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { isBaseUrl, isOpenlyReadable } from "./address";
import { commonMembers } from "./common";
import { secret } from "./secret";

/**
 * Where a row of an adapter's tables comes from: the provider's OpenAPI document, the types of its official SDK, or its
 * documentation. `unverified` is general knowledge: what depends on such a row is off by default.
 */
export type RowSource = "openapi" | "sdk" | "docs" | "unverified";

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
  readonly environments: readonly string[];
  readonly unverified: boolean;
  readonly url: string;
  readonly payment_methods: "all" | readonly string[];
  readonly payout_currencies: "all" | readonly string[];
}

interface Checked {
  readonly value: Entry;
  readonly issues: z.core.$ZodRawIssue[];
}

/** Returns the check of an entry: the key's prefix, the address, and lists that name only what the adapter carries. */
export function checkEntry(prefixes: readonly string[], payments: Rows, payouts: Rows) {
  return ({ value, issues }: Checked): void => {
    const fault = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: undefined });
    const starts = prefixes.map((prefix) => `${prefix}_${value.environments[0]}_`);
    if (!starts.some((start) => value.secret_key.startsWith(start))) {
      fault("secret_key", `must start with ${starts.join(" or ")}: environments names it`);
    }
    if (isOpenlyReadable(value.url)) fault("url", "must use https unless it is on the loopback");
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

/** Returns true for a row that the entry may use. */
export function isOn(
  { unverified }: Pick<Entry, "unverified">,
  row: { readonly source: RowSource } | undefined,
): boolean {
  return row !== undefined && (unverified || row.source !== "unverified");
}
