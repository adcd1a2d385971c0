// The rows of the table that one entry can use: those whose id a page shows, or the operator names.
import type { RowSource } from "../config/keyed-account";
import type { DlocalConfig } from "./config";
import { PAYMENT_ROWS } from "./tables";

interface UsableRow {
  readonly id: string;
  readonly currency: string;
  readonly source: RowSource;
}

export type UsableRows = Readonly<Record<string, UsableRow>>;

/** Returns the rows with an id; an id of the entry's `method_ids` counts before the table's. */
export function usableRows({ method_ids }: Pick<DlocalConfig, "method_ids">): UsableRows {
  const rows = Object.entries(PAYMENT_ROWS).flatMap(([code, { currency, source, ...row }]) => {
    const id = method_ids[code] ?? row.id;
    return id === null ? [] : [[code, { id, currency, source }] as const];
  });
  return Object.fromEntries(rows);
}
