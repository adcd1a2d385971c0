// The record of a move, in the first cell: which phase it is in, for the command that goes on with it and for the operator.
import { newId } from "@/server/platform/ids";
import { queryAcrossMerchants } from "../client";
import type { Owner } from "./owner";

/** The phases of a move that is not aborted, in their order; `merchant_move_goes_forward` has the same. */
export const PHASES = ["copying", "following", "comparing", "pausing", "switched", "removing", "done"] as const;

export type Phase = (typeof PHASES)[number] | "aborting" | "aborted";

/** Phases from which a move is not aborted any more. */
export const HAS_SWITCHED: readonly Phase[] = ["switched", "removing"];

export interface MoveRecord {
  readonly id: string;
  readonly merchantId: string;
  /** Names of cells. */
  readonly fromCell: string;
  readonly toCell: string;
  /** The merchant had left the new cell before. */
  readonly isReturn: boolean;
  readonly phase: Phase;
  readonly rowsCopied: bigint;
  /** Null until the merchant is open in the new cell. */
  readonly pausedMs: number | null;
  readonly startedAt: Date;
  readonly phaseSince: Date;
  readonly endedAt: Date | null;
}

const COLUMNS = `id, merchant AS "merchantId", from_cell AS "fromCell", to_cell AS "toCell", is_return AS "isReturn", phase,
  rows_copied AS "rowsCopied", paused_ms AS "pausedMs", started_at AS "startedAt", phase_since AS "phaseSince",
  ended_at AS "endedAt"`;

/** Up to `limit` moves: those that are open, then the newest. The running work is in the first cell. */
export function listMovesAcrossMerchants(limit: number): Promise<MoveRecord[]> {
  return queryAcrossMerchants<MoveRecord>(
    `SELECT ${COLUMNS} FROM merchant_move ORDER BY ended_at IS NULL DESC, started_at DESC, id DESC LIMIT $1`,
    limit,
  );
}

/** True while a move of the merchant is open. The running work is in the first cell. */
export async function isMovingAcrossMerchants(merchantId: string): Promise<boolean> {
  const open = "SELECT FROM merchant_move WHERE merchant = $1 AND ended_at IS NULL";
  return (await queryAcrossMerchants(open, merchantId)).length > 0;
}

async function findMoveWhere(home: Owner, condition: string, value: string): Promise<MoveRecord | null> {
  const [row] = await home.query<Omit<MoveRecord, "rowsCopied"> & { readonly rowsCopied: string }>(
    `SELECT ${COLUMNS} FROM merchant_move WHERE ${condition}`,
    value,
  );
  return row ? { ...row, rowsCopied: BigInt(row.rowsCopied) } : null;
}

/** The merchant's open move; null without one. */
export function findOpenMove(home: Owner, merchantId: string): Promise<MoveRecord | null> {
  return findMoveWhere(home, "merchant = $1 AND ended_at IS NULL", merchantId);
}

/** A move by its id; null without one. */
export function findMove(home: Owner, id: string): Promise<MoveRecord | null> {
  return findMoveWhere(home, "id = $1", id);
}

/** Begins a move. Throws a violation of `merchant_move_open` if the merchant has another one. */
export async function insertMove(
  home: Owner,
  { merchantId, fromCell, toCell, isReturn }: Pick<MoveRecord, "merchantId" | "fromCell" | "toCell" | "isReturn">,
): Promise<void> {
  await home.query(
    "INSERT INTO merchant_move (id, merchant, from_cell, to_cell, is_return) VALUES ($1, $2, $3, $4, $5)",
    newId("merchantMove"),
    merchantId,
    fromCell,
    toCell,
    isReturn,
  );
}

/** Takes a move to a phase, which may be the one that it is in. */
export async function enterPhase(home: Owner, id: string, phase: Phase): Promise<void> {
  await home.query(
    `UPDATE merchant_move SET phase = $2, phase_since = CASE phase WHEN $2 THEN phase_since ELSE now() END,
            ended_at = CASE WHEN $2 IN ('done', 'aborted') THEN now() END
     WHERE id = $1`,
    id,
    phase,
  );
}

/** Notes how many rows were copied so far. */
export async function noteRowsCopied(home: Owner, id: string, rows: number): Promise<void> {
  await home.query("UPDATE merchant_move SET rows_copied = $2 WHERE id = $1", id, rows);
}

/** Notes the length of the pause, unless it is noted. */
export async function notePause(home: Owner, id: string, pausedMs: number): Promise<void> {
  await home.query("UPDATE merchant_move SET paused_ms = coalesce(paused_ms, $2) WHERE id = $1", id, pausedMs);
}
