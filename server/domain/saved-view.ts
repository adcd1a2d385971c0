// Saved views: list filters that a member stores under a name, and their limits.
import type { Environment } from "./scope";

export const VIEW_LISTS = ["payments", "payouts", "topups"] as const;

export type ViewList = (typeof VIEW_LISTS)[number];

/** In code points. */
export const LONGEST_VIEW_NAME = 60;
/** In characters of the encoded query, which are all ASCII. */
export const LONGEST_VIEW_QUERY = 2_000;
/** Of one member and list, in one environment. */
export const MAXIMUM_VIEWS = 50;

/** Whose views, and of which list. */
export interface ViewShelf {
  readonly merchantId: string;
  readonly memberId: string;
  readonly environment: Environment;
  readonly list: ViewList;
}

export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The query of the list's address in its one form, without a question mark and without a place in the list. */
  readonly query: string;
}

/** What two names have in common that a person reads as the same. */
export function viewNameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Parameters that hold several values in one text; the order of the values says nothing. */
const SEVERAL: ReadonlySet<string> = new Set(["status", "columns"]);
/** What an address means that does not say it. */
const UNSAID: Readonly<Record<string, string>> = { sort: "-created_at" };

/** The parameters as a query, equal for addresses that show the same: sorted, and without what goes without saying. */
export function viewQuery(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value = ""]): [string, string][] => {
    const text = typeof value === "string" ? value : value.join(",");
    const normalized = SEVERAL.has(name) ? [...new Set(text.split(","))].filter(Boolean).sort().join(",") : text;
    return normalized === "" || normalized === UNSAID[name] ? [] : [[name, normalized]];
  });
  return new URLSearchParams(pairs.sort(([one], [other]) => (one < other ? -1 : 1))).toString();
}
