// The fences of this cell: which merchants are moving or have left (docs/decisions/0082). They are read each time.
import { withinMerchants } from "@/server/platform/reach";
import { queryAcrossMerchants } from "./client";
import { isMerchantAway } from "./failures";
import type { Transaction } from "./transaction";

/**
 * An advisory lock. A move takes it exclusively when its merchant begins to close; a transaction that shares it keeps merchants
 * from closing until it ends.
 */
export const CLOSING_LOCK = "hashtext('merchant_fence'), hashtext('closing')";

/** A merchant that is kept from all work here. */
export interface MerchantFence {
  readonly merchantId: string;
  /**
   * arriving: a copy, which does not count yet. ready: a copy that is complete, and opens once the other cell says `left`.
   * closing: only what is under way goes on. leaving: nothing does. left: the other cell has the merchant.
   */
  readonly state: "arriving" | "ready" | "closing" | "leaving" | "left";
  /** The name of the cell that the merchant comes from or goes to. */
  readonly otherCell: string;
  /** Whether the merchant has left for a cell that lacks it. */
  readonly isLost: boolean;
}

const FENCES = `
  SELECT merchant AS "merchantId", state, other_cell AS "otherCell", lost_since IS NOT NULL AS "isLost" FROM merchant_fence`;

/** The fences of the running work's cell; usually none. */
export function listMerchantFencesAcrossMerchants(): Promise<MerchantFence[]> {
  return queryAcrossMerchants<MerchantFence>(FENCES);
}

/** The fences of the transaction's cell. */
export function listMerchantFencesWithin(transaction: Transaction): Promise<MerchantFence[]> {
  return transaction.query<MerchantFence>(FENCES);
}

/**
 * Returns the fences of the transaction's cell. Until the transaction ends, no open merchant begins to close there. So none
 * disappears between two of its statements.
 */
export async function holdMerchantFences(transaction: Transaction): Promise<MerchantFence[]> {
  await transaction.query(`SELECT pg_advisory_xact_lock_shared(${CLOSING_LOCK})::text`);
  return listMerchantFencesWithin(transaction);
}

/**
 * Lets the statements of the running work's cell read its fences, if its rows were loaded without triggers. Returns whether they
 * did not.
 */
export async function readStoredFencesAcrossMerchants(): Promise<boolean> {
  const [row] = await queryAcrossMerchants<{ done: boolean }>("SELECT read_stored_fences() AS done");
  return row?.done ?? false;
}

/**
 * Opens merchants of the running work's cell again whose move was killed while it had closed them. Returns their number. A move
 * that is alive is left alone.
 */
export async function liftAbandonedFencesAcrossMerchants(): Promise<number> {
  const [row] = await queryAcrossMerchants<{ lifted: number }>("SELECT lift_abandoned_fences() AS lifted");
  return row?.lifted ?? 0;
}

/** True while a session moves the merchant, in the database that the running work's cell uses. */
export async function isMoveLockedAcrossMerchants(merchantId: string): Promise<boolean> {
  const [row] = await queryAcrossMerchants<{ locked: boolean }>(
    "SELECT NOT pg_try_advisory_xact_lock(hashtext('merchant_move'), hashtext($1)) AS locked",
    merchantId,
  );
  return row?.locked ?? false;
}

/**
 * Removes triggers of moves that have ended from one table of the running work's cell that nobody keeps locked. Returns the
 * number of tables that still have some.
 */
export async function removeEndedTriggersAcrossMerchants(): Promise<number> {
  const [row] = await queryAcrossMerchants<{ remaining: number }>("SELECT remove_ended_notes() AS remaining");
  return row?.remaining ?? 0;
}

/**
 * Runs a statement about rows of several merchants. It fails as a whole where one of them is fenced: then it runs for each
 * merchant apart. Returns the rows of fenced merchants, for which it did not run. Throws what else the statement throws.
 */
export async function runForMerchants<Row extends { readonly merchantId: string }>(
  rows: readonly Row[],
  run: (rows: readonly Row[]) => Promise<unknown>,
): Promise<readonly Row[]> {
  const merchantIds = [...new Set(rows.map(({ merchantId }) => merchantId))];
  try {
    await withinMerchants(merchantIds, () => run(rows));
    return [];
  } catch (error) {
    if (!isMerchantAway(error)) throw error;
    if (merchantIds.length < 2) return rows;
    const parts = merchantIds.map((id) => rows.filter(({ merchantId }) => merchantId === id));
    return (await Promise.all(parts.map((part) => runForMerchants(part, run)))).flat();
  }
}
