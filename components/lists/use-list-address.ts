// Owns a list's filters and place in the page's address, changed without asking the server for the page again.
"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useRef } from "react";
import { type FilterField, type Filters, readColumns, readCursor, readFilters, searchOf, withFilter } from "./filters";

export interface ListAddress {
  readonly filters: Filters;
  readonly cursor: string | undefined;
  /** The cursor as procedures take it: nothing on the first page. */
  readonly place: { readonly cursor?: string };
  /** The names of the columns to show; none for all. */
  readonly columns: readonly string[];
  /** Sets one filter, or takes it away by an empty value; the list starts anew. */
  setFilter(name: string, value: string): void;
  setFilters(filters: Filters): void;
  /** The rows stay where they are. */
  setColumns(names: readonly string[]): void;
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

  function go(next: Filters, to?: string, shown = columns): void {
    window.history.pushState(null, "", pathname + searchOf(next, to, shown));
  }

  return {
    filters,
    cursor,
    place: cursor === undefined ? {} : { cursor },
    columns,
    setFilter: (name, value) => {
      visited.current = [];
      go(withFilter(filters, name, value));
    },
    setFilters: (next) => {
      visited.current = [];
      go(next);
    },
    setColumns: (names) => go(filters, cursor, names),
    goNext: (to) => {
      visited.current.push(cursor);
      go(filters, to);
    },
    goBack: () => go(filters, visited.current.pop()),
  };
}
