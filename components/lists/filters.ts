// Owns what a list's address says: filters under their REST names, order, columns, place; read the same by server and browser.
import type { ListSort } from "@/server/domain/list-order";

/** What an address may say beside the filters: the place in the list, the columns that are shown, the order. */
const CURSOR = "cursor";
const COLUMNS = "columns";
const SORT = "sort";

/** The order of a list whose address names none. */
const USUAL_SORT: ListSort = "-created_at";

export interface FilterField {
  /** The REST parameter. */
  readonly name: string;
  readonly label: string;
}

/** Every list's filters, beside its status. */
export const SHARED_FIELDS: readonly FilterField[] = [
  { name: "merchant_reference", label: "Reference" },
  { name: "currency", label: "Currency" },
  { name: "country", label: "Country" },
  { name: "created_after", label: "From" },
  { name: "created_before", label: "Until" },
];

export type Filters = Readonly<Record<string, string>>;

/** The filters that an address sets; unknown and empty parameters are left out. */
export function readFilters(params: URLSearchParams, fields: readonly FilterField[]): Filters {
  const names = [...fields.map(({ name }) => name), "status"];
  return Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? ""]] : [])));
}

/** The place in the list that an address names. */
export function readCursor(params: URLSearchParams): string | undefined {
  return params.get(CURSOR) ?? undefined;
}

/** Filters as the procedures take them: `status` is a list. */
export function filterInput<Status extends string>({ status, ...rest }: Filters) {
  return { ...rest, ...(status ? { status: status.split(",") as Status[] } : {}) };
}

/** The names of the columns that an address shows; none when it leaves that open. */
export function readColumns(params: URLSearchParams): readonly string[] {
  return (params.get(COLUMNS) ?? "").split(",").filter((name) => name !== "");
}

/** The order as procedures take it: nothing for the usual one. What is no order is refused there, in words. */
export function readOrder(params: URLSearchParams): { readonly sort?: ListSort } {
  const sort = params.get(SORT);
  return !sort || sort === USUAL_SORT ? {} : { sort: sort as ListSort };
}

interface AddressRest {
  readonly cursor?: string | undefined;
  readonly columns?: readonly string[];
  readonly sort?: ListSort | undefined;
}

/** The address's search part for filters, order, columns and a place; empty when there are none. */
export function searchOf(filters: Filters, { cursor, columns = [], sort }: AddressRest = {}): string {
  const params = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  if (sort && sort !== USUAL_SORT) params.set(SORT, sort);
  if (columns.length > 0) params.set(COLUMNS, columns.join(","));
  if (cursor) params.set(CURSOR, cursor);
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** The filters with one set, or taken away by an empty value. */
export function withFilter(filters: Filters, name: string, value: string): Filters {
  const { [name]: _, ...rest } = filters;
  return value === "" ? rest : { ...rest, [name]: value };
}

/** What Next tells a page of its address. */
export type PageSearch = Readonly<Record<string, string | string[] | undefined>>;

/** The same as the browser tells it: of what is repeated, the first counts. */
export function searchParamsOf(search: PageSearch): URLSearchParams {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    const [first] = Array.isArray(value) ? value : [value];
    return first === undefined ? [] : [[name, first] as [string, string]];
  });
  return new URLSearchParams(pairs);
}
