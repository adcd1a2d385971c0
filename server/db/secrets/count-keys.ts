import type { KeyPurpose } from "@/server/platform/key-ring";
import { acrossMerchants } from "@/server/platform/reach";
import { inSnapshot } from "../client";
import type { Transaction } from "../transaction";
import { KEYED_COLUMNS, type KeyedColumn } from "./keyed-columns";

export interface KeyCount extends KeyedColumn {
  readonly purpose: KeyPurpose;
  /** The key that made these values. */
  readonly id: string;
  readonly rows: number;
}

/** Returns the number of values per column and key that still need it, on one snapshot. Reads whole tables. */
export function countKeysAcrossMerchants(): Promise<KeyCount[]> {
  const count = async (transaction: Transaction): Promise<KeyCount[]> => {
    const counts: KeyCount[] = [];
    for (const purpose of Object.keys(KEYED_COLUMNS) as KeyPurpose[]) {
      for (const column of KEYED_COLUMNS[purpose]) {
        const rows = await transaction.query<{ id: string; rows: number }>(
          `SELECT id, count(*)::int AS rows FROM (
             SELECT ${column.keyId} AS id FROM ${column.table} WHERE ${column.condition}) AS keyed
           WHERE id IS NOT NULL GROUP BY id ORDER BY id`,
        );
        counts.push(...rows.map((row) => ({ ...column, ...row, purpose })));
      }
    }
    return counts;
  };
  return acrossMerchants(() => inSnapshot(count));
}
