// Triggers for one merchant and one move alone: in the old cell they note the keys of the rows that change, in the new one they
// refuse what others write before the merchant opens there.
import { literal } from "../invariants/relations";
import type { Owner } from "./owner";
import type { MovedTable } from "./shape";
import { type LockHolder, runBesideWriters } from "./table-locks";

const ACTS = [
  { act: "INSERT", rows: ["NEW"] },
  { act: "UPDATE", rows: ["OLD", "NEW"] },
  { act: "DELETE", rows: ["OLD"] },
] as const;

/** What a trigger calls, and how its name begins. */
type Call = (table: MovedTable, merchantId: string) => { readonly prefix: string; readonly call: string };

const noting: Call = ({ name, key }, merchantId) => {
  const given = [merchantId, name, ...key.map((column) => column.name)].map(literal).join(", ");
  return { prefix: "note", call: `note_move_change(${given})` };
};

const refusing: Call = (_, merchantId) => ({ prefix: "refuse", call: `refuse_before_opening(${literal(merchantId)})` });

/** `noting` in the old cell, `refusing` in the new one. */
const TRIGGERS = { noting, refusing };

function creations(table: MovedTable, moveId: string, merchantId: string, callOf: Call): string {
  const { prefix, call } = callOf(table, merchantId);
  const triggers = ACTS.map(({ act, rows }) => {
    const isOurs = rows.map((row) => `${row}.${table.merchantColumn} = ${literal(merchantId)}`).join(" OR ");
    return `CREATE OR REPLACE TRIGGER ${prefix}_${act.toLowerCase()}_${moveId} AFTER ${act} ON ${table.name}
      FOR EACH ROW WHEN (${isOurs}) EXECUTE FUNCTION ${call}`;
  });
  return triggers.join(";");
}

/**
 * Records that a move makes triggers in the cell; may be repeated. From then on the cell's logs lose nothing. Returns false if the
 * move has ended there: its triggers do nothing, and are about to be removed.
 */
export async function beginTriggers(owner: Owner, moveId: string, merchantId: string): Promise<boolean> {
  await owner.query(
    "INSERT INTO merchant_move_noting (move_id, merchant) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    moveId,
    merchantId,
  );
  const open = await owner.query("SELECT FROM merchant_move_noting WHERE move_id = $1 AND ended_at IS NULL", moveId);
  return open.length > 0;
}

/**
 * Makes the triggers of a move on a table; may be repeated. Each transaction that has written the table has ended before, and
 * each later one meets them. Returns a session that kept the table locked for `withinMs`, in ms; else null.
 */
export function makeTriggers(
  owner: Owner,
  table: MovedTable,
  {
    moveId,
    merchantId,
    kind,
  }: { readonly moveId: string; readonly merchantId: string; readonly kind: keyof typeof TRIGGERS },
  withinMs: number,
): Promise<LockHolder | null> {
  return runBesideWriters(owner, table.name, creations(table, moveId, merchantId, TRIGGERS[kind]), withinMs);
}

/**
 * From then on the triggers of a move note nothing; may be repeated. They stay until they are removed. Other moves of the merchant
 * whose records were lost end as well: nothing else would end them.
 */
export async function endTriggers(owner: Owner, moveId: string, merchantId: string): Promise<void> {
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
export async function removeEndedTriggers(owner: Owner): Promise<number> {
  const [row] = await owner.query<{ remaining: number }>("SELECT remove_ended_notes() AS remaining");
  return row?.remaining ?? 0;
}
