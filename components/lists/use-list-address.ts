// Owns a list's filters, order and place in the page's address, changed without asking the server for the page again.
"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useRef } from "react";
import type { ListSort } from "@/server/domain/list-order";
import { viewQuery } from "@/server/domain/saved-view";
import {
  type FilterField,
  type Filters,
  readColumns,
  readCursor,
  readFilters,
  readOrder,
  searchOf,
  withFilter,
} from "./filters";

export interface ListAddress {
  readonly filters: Filters;
  readonly cursor: string | undefined;
  /** The cursor as procedures take it: nothing on the first page. */
  readonly place: { readonly cursor?: string };
  /** The order as procedures take it: nothing for newest first. */
  readonly order: { readonly sort?: ListSort };
  /** The names of the columns to show; none for all. */
  readonly columns: readonly string[];
  /** What a saved view keeps of the address, in the one form that is equal for addresses that show the same. */
  readonly query: string;
  /** Sets one filter, or takes it away by an empty value; the list starts anew. */
  setFilter(name: string, value: string): void;
  setFilters(filters: Filters): void;
  /** Leaves only these filters set, in the usual order. */
  clear(kept?: Filters): void;
  /** The list starts anew. */
  setSort(sort: ListSort): void;
  /** The rows stay where they are. */
  setColumns(names: readonly string[]): void;
  /** Shows what such a query says, and nothing else that was set. */
  open(query: string): void;
  goNext(cursor: string): void;
  /** To the page before, as far as it was visited here, else to the first. */
  goBack(): void;
}

/** Every change is a step of the browser's history. */
export function useListAddress(fields: readonly FilterField[]): ListAddress {
  const pathname = usePathname();
  const params = useSearchParams();
  const visited = useRef<(string | undefined)[]>([]);
  const filters = readFilters(params, fields);
  const cursor = readCursor(params);
  const columns = readColumns(params);
  const order = readOrder(params);

  function go(next: Filters, rest: Parameters<typeof searchOf>[1] = {}): void {
    window.history.pushState(null, "", pathname + searchOf(next, { columns, ...order, ...rest }));
  }

  function startAnew(next: Filters, rest: Parameters<typeof searchOf>[1] = {}): void {
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
    cursor,
    place: cursor === undefined ? {} : { cursor },
    order,
    columns,
    setFilter: (name, value) => startAnew(withFilter(filters, name, value)),
    setFilters: (next) => startAnew(next),
    clear: (kept = {}) => startAnew(kept, { sort: undefined }),
    setSort: (sort) => startAnew(filters, { sort }),
    setColumns: (names) => go(filters, { cursor, columns: names }),
    goNext: (to) => {
      visited.current.push(cursor);
      go(filters, { cursor: to });
    },
    goBack: () => go(filters, { cursor: visited.current.pop() }),
  };
}
