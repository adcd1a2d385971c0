// The state in a list's address: filters under their REST names, order, columns, position. Browser and server parse it.
import type { ListSort } from "@/server/domain/list-order";
import type { TextKey } from "../i18n/dashboard-texts";

/** Parameters of the address beside the filters: the position in the list, the displayed columns, the order. */
const CURSOR = "cursor";
const COLUMNS = "columns";
const SORT = "sort";

/** The order if the address names none. */
const USUAL_SORT: ListSort = "-created_at";

export interface ListField {
  /** The REST parameter. */
  readonly name: string;
  /** True if it chooses which list is shown, by a switch of its own: clearing the filters keeps it. */
  readonly isView?: true;
}

/** A field that the filters above a list offer. */
export interface FilterField extends ListField {
  readonly labelKey: TextKey;
}

/** The filters of every list, except the status. */
export const SHARED_FIELDS: readonly FilterField[] = [
  { name: "merchant_reference", labelKey: "lists.reference" },
  { name: "currency", labelKey: "lists.currency" },
  { name: "amount_from", labelKey: "lists.amountFrom" },
  { name: "amount_to", labelKey: "lists.amountTo" },
  { name: "country", labelKey: "lists.country" },
  { name: "created_after", labelKey: "lists.from" },
  { name: "created_before", labelKey: "lists.until" },
];

export type Filters = Readonly<Record<string, string>>;

/** The filters in an address, without unknown and empty parameters. */
export function readFilters(params: URLSearchParams, fields: readonly ListField[]): Filters {
  const names = [...fields.map(({ name }) => name), "status"];
  return Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? ""]] : [])));
}

/** The parts of the filters that choose the list, and those that narrow it. */
export function splitFilters(filters: Filters, fields: readonly ListField[]): { view: Filters; narrowing: Filters } {
  const views = new Set(fields.filter(({ isView }) => isView).map(({ name }) => name));
  const pick = (isPicked: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => isPicked(name)));
  return { view: pick((name) => views.has(name)), narrowing: pick((name) => !views.has(name)) };
}

/** The position in the list that an address names. */
export function readCursor(params: URLSearchParams): string | undefined {
  return params.get(CURSOR) ?? undefined;
}

/** Filters as input of the procedures: `status` is a list. */
export function filterInput<Status extends string>({ status, ...rest }: Filters) {
  return { ...rest, ...(status ? { status: status.split(",") as Status[] } : {}) };
}

/** The names of the columns in an address; none if it does not name any. */
export function readColumns(params: URLSearchParams): readonly string[] {
  return (params.get(COLUMNS) ?? "").split(",").filter((name) => name !== "");
}

/** The order as input of the procedures; undefined for the usual one. They reject an invalid order. */
export function readOrder(params: URLSearchParams): { readonly sort?: ListSort } {
  const sort = params.get(SORT);
  return !sort || sort === USUAL_SORT ? {} : { sort: sort as ListSort };
}

interface AddressRest {
  readonly cursor?: string | undefined;
  readonly columns?: readonly string[];
  readonly sort?: ListSort | undefined;
}

/** The query string for filters, order, columns and a position; empty if there are none. */
export function searchOf(filters: Filters, { cursor, columns = [], sort }: AddressRest = {}): string {
  const params = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  if (sort && sort !== USUAL_SORT) params.set(SORT, sort);
  if (columns.length > 0) params.set(COLUMNS, columns.join(","));
  if (cursor) params.set(CURSOR, cursor);
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Without the bounds of an amount, which are minor units of the currency. */
function withoutAmounts({ amount_from: _from, amount_to: _to, ...rest }: Filters): Filters {
  return rest;
}

/** The filters with one set, or removed if the value is empty. Another currency ends a range of amounts. */
export function withFilter(filters: Filters, name: string, value: string): Filters {
  const { [name]: former, ...others } = filters;
  const rest = name === "currency" && former !== value ? withoutAmounts(others) : others;
  return value === "" ? rest : { ...rest, [name]: value };
}

/** The search parameters as Next passes them to a page. */
export type PageSearch = Readonly<Record<string, string | string[] | undefined>>;

/** The search parameters of the browser in the same form; of a repeated one, the first counts. */
export function searchParamsOf(search: PageSearch): URLSearchParams {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    const [first] = Array.isArray(value) ? value : [value];
    return first === undefined ? [] : [[name, first] as [string, string]];
  });
  return new URLSearchParams(pairs);
}
