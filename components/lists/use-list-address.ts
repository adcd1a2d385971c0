// A list's filters, order and position in the page's address, changed without a request for the page.
"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useRef } from "react";
import type { ListSort } from "@/server/domain/list-order";
import { viewQuery } from "@/server/domain/saved-view";
import {
  type Filters,
  type ListField,
  readColumns,
  readCursor,
  readFilters,
  readOrder,
  searchOf,
  splitFilters,
  withFilter,
} from "./filters";

export interface ListAddress {
  readonly filters: Filters;
  /** True if filters narrow the list. */
  readonly isNarrowed: boolean;
  readonly cursor: string | undefined;
  /** The cursor as input of the procedures; undefined on the first page. */
  readonly place: { readonly cursor?: string };
  /** The order as input of the procedures; undefined for newest first. */
  readonly order: { readonly sort?: ListSort };
  /** The names of the columns to show; none for all. */
  readonly columns: readonly string[];
  /** The part of the address that a saved view stores, in a canonical form: equal for addresses that show the same. */
  readonly query: string;
  /** Sets one filter, or removes it if the value is empty. Returns to the first page. */
  setFilter(name: string, value: string): void;
  setFilters(filters: Filters): void;
  /** Leaves only these filters set, and what chooses the list, in the usual order. */
  clear(kept?: Filters): void;
  /** Returns to the first page. */
  setSort(sort: ListSort): void;
  /** The rows do not change. */
  setColumns(names: readonly string[]): void;
  /** Applies such a query, and removes everything else. */
  open(query: string): void;
  goNext(cursor: string): void;
  /** To the previous page if it was visited here, else to the first. */
  goBack(): void;
}

/** Every change is a step in the browser's history. */
export function useListAddress(fields: readonly ListField[]): ListAddress {
  const pathname = usePathname();
  const params = useSearchParams();
  const visited = useRef<(string | undefined)[]>([]);
  const filters = readFilters(params, fields);
  const { view, narrowing } = splitFilters(filters, fields);
  const cursor = readCursor(params);
  const columns = readColumns(params);
  const order = readOrder(params);

  function go(next: Filters, rest: Parameters<typeof searchOf>[1] = {}): void {
    window.history.pushState(null, "", pathname + searchOf(next, { columns, ...order, ...rest }));
  }

  function restart(next: Filters, rest: Parameters<typeof searchOf>[1] = {}): void {
    visited.current = [];
    go(next, rest);
  }

  return {
    query: viewQuery({ ...filters, ...order, columns }),
    open: (query) => {
      visited.current = [];
      window.history.pushState(null, "", pathname + (query === "" ? "" : `?${query}`));
    },
    filters,
    isNarrowed: Object.keys(narrowing).length > 0,
    cursor,
    place: cursor === undefined ? {} : { cursor },
    order,
    columns,
    setFilter: (name, value) => restart(withFilter(filters, name, value)),
    setFilters: (next) => restart(next),
    clear: (kept = {}) => restart({ ...view, ...kept }, { sort: undefined }),
    setSort: (sort) => restart(filters, { sort }),
    setColumns: (names) => go(filters, { cursor, columns: names }),
    goNext: (to) => {
      visited.current.push(cursor);
      go(filters, { cursor: to });
    },
    goBack: () => go(filters, { cursor: visited.current.pop() }),
  };
}
