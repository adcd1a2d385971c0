// A cell that was closed for a merchant because it is open in another one, in a later stay.
import type { Owner } from "./owner";

/** The cell that has the merchant; null unless the merchant was closed here because it was open in two cells. */
export async function readOvertaken(owner: Owner, merchantId: string): Promise<string | null> {
  const [row] = await owner.query<{ newer: string }>(
    "SELECT other_cell AS newer FROM merchant_fence WHERE merchant = $1 AND state = 'left' AND overtaken_at IS NOT NULL",
    merchantId,
  );
  return row?.newer ?? null;
}

/** Notes that somebody has looked at what the merchant did here. */
export async function acceptOvertaken(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("UPDATE merchant_fence SET overtaken_at = NULL WHERE merchant = $1 AND state = 'left'", merchantId);
}

/** The ids of the moves of the merchant whose triggers are in the cell. */
export async function listMovesWithTriggers(owner: Owner, merchantId: string): Promise<string[]> {
  const rows = await owner.query<{ move: string }>(
    `SELECT DISTINCT regexp_replace(tgname, '^(note|refuse)_(insert|update|delete)_', '') AS move FROM pg_trigger
     WHERE tgfoid IN ('note_move_change'::regproc, 'refuse_before_opening'::regproc)
       AND starts_with(encode(tgargs, 'escape'), $1 || '\\000')`,
    merchantId,
  );
  return rows.map(({ move }) => move);
}
