// Triggers in the old cell, for one merchant and one move alone, which note the keys of the rows that change.
import { literal } from "../invariants/relations";
import type { Owner } from "./owner";
import type { MovedTable } from "./shape";
import { type LockHolder, runBesideWriters } from "./table-locks";

const ACTS = [
  { act: "INSERT", rows: ["NEW"] },
  { act: "UPDATE", rows: ["OLD", "NEW"] },
  { act: "DELETE", rows: ["OLD"] },
] as const;

const nameOf = (moveId: string, act: string): string => `note_${act.toLowerCase()}_${moveId}`;

function creations({ name, merchantColumn, key }: MovedTable, moveId: string, merchantId: string): string {
  const given = [merchantId, name, ...key.map((column) => column.name)].map(literal).join(", ");
  const triggers = ACTS.map(({ act, rows }) => {
    const isOurs = rows.map((row) => `${row}.${merchantColumn} = ${literal(merchantId)}`).join(" OR ");
    return `CREATE OR REPLACE TRIGGER ${nameOf(moveId, act)} AFTER ${act} ON ${name}
      FOR EACH ROW WHEN (${isOurs}) EXECUTE FUNCTION note_move_change(${given})`;
  });
  return triggers.join(";");
}

/** Records that a move notes changes in the cell; may be repeated. From then on the cell's logs lose nothing. */
export async function beginNoting(owner: Owner, moveId: string, merchantId: string): Promise<void> {
  await owner.query(
    "INSERT INTO merchant_move_noting (move_id, merchant) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    moveId,
    merchantId,
  );
}

/**
 * Makes the triggers of a move on a table; may be repeated. Each transaction that has written the table has ended before, and
 * each later one notes what it writes. Returns a session that kept the table locked for `withinMs`, in ms; else null.
 */
export function noteChanges(
  owner: Owner,
  table: MovedTable,
  moveId: string,
  merchantId: string,
  withinMs: number,
): Promise<LockHolder | null> {
  return runBesideWriters(owner, table.name, creations(table, moveId, merchantId), withinMs);
}

/**
 * From then on the triggers of a move note nothing; may be repeated. They stay until they are removed. Other moves of the merchant
 * whose records were lost end as well: nothing else would end them.
 */
export async function endNoting(owner: Owner, moveId: string, merchantId: string): Promise<void> {
  await owner.query(
    `INSERT INTO merchant_move_noting (move_id, merchant, ended_at) VALUES ($1, $2, now())
     ON CONFLICT (move_id) DO UPDATE SET ended_at = coalesce(merchant_move_noting.ended_at, excluded.ended_at)`,
    moveId,
    merchantId,
  );
  await owner.query(
    "UPDATE merchant_move_noting SET ended_at = now() WHERE merchant = $1 AND ended_at IS NULL",
    merchantId,
  );
}

/**
 * Removes triggers of moves that have ended from one table that nobody keeps locked. Returns the number of tables that still
 * have some.
 */
export async function removeEndedNotes(owner: Owner): Promise<number> {
  const [row] = await owner.query<{ remaining: number }>("SELECT remove_ended_notes() AS remaining");
  return row?.remaining ?? 0;
}
