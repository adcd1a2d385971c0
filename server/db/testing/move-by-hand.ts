// A merchant's move to another cell, step by step and by hand, for tests of what keeps work apart and finds its way
// (docs/decisions/0082).
import { Client } from "pg";
import type { Cell } from "@/server/platform/cell";
import type { MerchantFence } from "../merchant-fences";

/** Runs statements in a cell's database as the owner of its tables, over a connection of their own. */
export async function asOwnerOf<Result>(cell: Cell, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: cell.databaseUrl ?? "" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Fences a merchant off in a cell, or changes its fence. */
export async function fence(cell: Cell, merchantId: string, state: MerchantFence["state"], other: Cell): Promise<void> {
  const sql = `INSERT INTO merchant_fence (merchant, state, other_cell) VALUES ($1, $2, $3)
    ON CONFLICT (merchant) DO UPDATE SET state = excluded.state, other_cell = excluded.other_cell`;
  await asOwnerOf(cell, (client) => client.query(sql, [merchantId, state, other.name]));
}

/** Opens a merchant in a cell again. */
export async function unfence(cell: Cell, merchantId: string): Promise<void> {
  await asOwnerOf(cell, (client) => client.query("DELETE FROM merchant_fence WHERE merchant = $1", [merchantId]));
}

const TABLES = `
  SELECT c.relname AS name, CASE c.relname WHEN 'merchant' THEN 'id' ELSE 'merchant_id' END AS column
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND (c.relname = 'merchant' OR EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'merchant_id' AND NOT a.attisdropped))`;

/** Replaces the merchant's rows in one cell by those of another. */
async function copyMerchant(from: Cell, to: Cell, merchantId: string): Promise<void> {
  await asOwnerOf(from, (source) =>
    asOwnerOf(to, async (target) => {
      const { rows: tables } = await source.query<{ name: string; column: string }>(TABLES);
      await target.query("BEGIN; SET LOCAL session_replication_role = replica");
      for (const { name, column } of tables) {
        const read = `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS all FROM ${name} t WHERE ${column} = $1`;
        const { rows } = await source.query<{ all: string }>(read, [merchantId]);
        await target.query(`DELETE FROM ${name} WHERE ${column} = $1`, [merchantId]);
        await target.query(`INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`, [
          rows[0]?.all,
        ]);
      }
      await target.query("COMMIT");
    }),
  );
}

/** Moves a merchant for whom nothing runs. Its rows stay where it was, behind the fence. */
export async function moveByHand(from: Cell, to: Cell, merchantId: string): Promise<void> {
  await fence(to, merchantId, "arriving", from);
  await fence(from, merchantId, "leaving", to);
  await copyMerchant(from, to, merchantId);
  await fence(from, merchantId, "left", to);
  await unfence(to, merchantId);
}
