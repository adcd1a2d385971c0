// Every row of a merchant in a cell as text, for tests that compare the two sides of a move.
import { openOwner } from "@/server/db/moves/owner";
import { isOfMerchant, readMovedTables } from "@/server/db/moves/shape";
import type { Cell } from "@/server/platform/cell";

/** Table to the merchant's rows, sorted; without tables that have none. A line's file has another id in each cell. */
export async function rowsOf(cell: Cell, merchantId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const owner = await openOwner(cell);
  try {
    const found: Record<string, string[]> = {};
    for (const table of await readMovedTables(owner)) {
      const text = table.name === "settlement_line" ? "(to_jsonb(t) - 'file_id')::text" : "t::text";
      const rows = await owner.query<{ row: string }>(
        `SELECT ${text} AS row FROM ${table.name} t WHERE ${isOfMerchant(table)}`,
        merchantId,
      );
      if (rows.length > 0) found[table.name] = rows.map(({ row }) => row).sort();
    }
    return found;
  } finally {
    await owner.end();
  }
}

/** What a move has left of itself in a cell: triggers of tables, notes, and the record of its triggers. */
export async function tracesIn(cell: Cell): Promise<string[]> {
  const owner = await openOwner(cell);
  try {
    const rows = await owner.query<{ name: string }>(
      `SELECT tgname::text AS name FROM pg_trigger WHERE tgname LIKE '%\\_mov\\_%' AND tgparentid = 0
       UNION ALL SELECT table_name FROM merchant_move_change
       UNION ALL SELECT 'triggers of ' || merchant FROM merchant_move_noting`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await owner.end();
  }
}

/** The merchant's fence in a cell, such as `left eu2`; null without one. */
export async function fenceIn(cell: Cell, merchantId: string): Promise<string | null> {
  const owner = await openOwner(cell);
  try {
    const [row] = await owner.query<{ fence: string }>(
      "SELECT state || ' ' || other_cell AS fence FROM merchant_fence WHERE merchant = $1",
      merchantId,
    );
    return row?.fence ?? null;
  } finally {
    await owner.end();
  }
}
