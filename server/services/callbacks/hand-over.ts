// Callbacks come to the cell that made their reference. Where its merchant has moved to another cell, they are handed over.
import { findOwnerAcrossMerchants } from "@/server/db/attempts";
import {
  finishCallbackAcrossMerchants,
  postponeCallbackAcrossMerchants,
  type StoredCallback,
} from "@/server/db/callbacks";
import { listMerchantFencesAcrossMerchants, type MerchantFence } from "@/server/db/merchant-fences";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { digestState } from "./digest";
import { storeInCell } from "./store";
import type { LocatedReading } from "./try";

/** A merchant that moves is open again within seconds. */
const TRIED_AGAIN_AFTER_MS = 1_000;

/** The merchants that move, or have. With one cell, none, and nothing is read. */
export async function listMoves(): Promise<readonly MerchantFence[]> {
  return allCells().length === 1 ? [] : listMerchantFencesAcrossMerchants();
}

const cellNamed = (name: string): Cell | undefined => allCells().find((cell) => cell.name === name);

/** The cell that has what a callback is about; null if it is this one, undefined if that is not known yet. */
async function whereabouts(
  { provider }: StoredCallback,
  reading: LocatedReading,
  moves: readonly MerchantFence[],
): Promise<Cell | null | undefined> {
  const { merchantId, reference } = reading;
  if (merchantId !== null) {
    const move = moves.find((one) => one.merchantId === merchantId);
    if (!move) return null;
    return move.state === "closing" || move.state === "leaving" ? undefined : cellNamed(move.otherCell);
  }
  if (reference === null) return null;
  const subAccount = "subAccount" in reading ? (reading.subAccount ?? null) : null;
  for (const name of new Set(moves.map(({ otherCell }) => otherCell))) {
    const cell = cellNamed(name);
    const find = () => findOwnerAcrossMerchants(provider, subAccount, reference);
    if (cell && (await inOtherCell(cell, find)) !== null) return cell;
  }
  return moves.some(({ state }) => state === "closing" || state === "leaving") ? undefined : null;
}

/**
 * Hands a claimed callback over to the cell that its merchant has moved to, or lets it wait while the merchant moves. Returns
 * false if it is to be applied here. It is stored there first, so a crash in between hands it over again: there it is a
 * duplicate. Throws if that cell is away: the callback is tried again.
 */
export async function handOver(
  callback: StoredCallback,
  reading: LocatedReading,
  moves: readonly MerchantFence[],
): Promise<boolean> {
  // It gets a digest of the other cell's row: what no provider is known to have sent stays here, for the operator.
  if (moves.length === 0 || digestState(callback) !== "right") return false;
  const cell = await whereabouts(callback, reading, moves);
  if (cell === null) return false;
  if (cell === undefined) {
    await postponeCallbackAcrossMerchants(callback, TRIED_AGAIN_AFTER_MS);
    return true;
  }
  await inOtherCell(cell, () => storeInCell(callback, callback.body, callback.receivedAt));
  await finishCallbackAcrossMerchants(callback, "ignored");
  return true;
}
