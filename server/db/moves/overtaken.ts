// What a restore or a failover has brought back of a merchant in a cell that it has left.
import type { Owner } from "./owner";

/** What a cell has kept of a merchant that has left it. */
export interface LeftBehind {
  /** The merchant was closed here because it was open in two cells, and nobody has looked at what it did here. */
  readonly isOvertaken: boolean;
  /** Its rows are here, or the notes of a move that has not ended here. */
  readonly hasTraces: boolean;
}

/** Reads it; null unless the merchant has left the cell. */
export async function readLeftBehind(owner: Owner, merchantId: string): Promise<LeftBehind | null> {
  const [row] = await owner.query<LeftBehind>(
    `SELECT overtaken_at IS NOT NULL AS "isOvertaken",
            EXISTS (SELECT FROM merchant WHERE id = $1)
            OR EXISTS (SELECT FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL) AS "hasTraces"
     FROM merchant_fence WHERE merchant = $1 AND state = 'left'`,
    merchantId,
  );
  return row ?? null;
}

/** Notes that somebody has looked at what the merchant did here. */
export async function acceptOvertaken(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("UPDATE merchant_fence SET overtaken_at = NULL WHERE merchant = $1 AND state = 'left'", merchantId);
}

/** The ids of the moves of the merchant whose triggers or notes are in the cell. */
export async function listMovesWithTriggers(owner: Owner, merchantId: string): Promise<string[]> {
  const rows = await owner.query<{ move: string }>(
    `SELECT DISTINCT regexp_replace(tgname, '^(note|refuse)_(insert|update|delete)_', '') AS move FROM pg_trigger
     WHERE tgfoid IN ('note_move_change'::regproc, 'refuse_before_opening'::regproc)
       AND starts_with(encode(tgargs, 'escape'), $1 || '\\000')
     UNION SELECT move_id FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL`,
    merchantId,
  );
  return rows.map(({ move }) => move);
}
