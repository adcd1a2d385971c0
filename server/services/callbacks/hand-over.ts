// Callbacks come to the cell that made their reference. Where its merchant has moved to another cell, they are handed over.
import {
  finishCallbackAcrossMerchants,
  postponeCallbackAcrossMerchants,
  type StoredCallback,
} from "@/server/db/callbacks";
import type { MerchantFence } from "@/server/db/merchant-fences";
import { readPresencesAcrossMerchants } from "@/server/db/merchant-stays";
import { ServiceError } from "@/server/domain/errors";
import { type Cell, currentCell, inOtherCell } from "@/server/platform/cell";
import { cellOfId, cellOfReference } from "@/server/platform/cell-of";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { cellsBeyond, isAnyNowhere, listFences, presentCellOfMerchant } from "../cells/moved";
import { asServiceError, temporarilyUnavailable } from "../outage";
import { digestState } from "./digest";
import { takeOverCallback } from "./store";
import { findOwnerOf, type LocatedReading } from "./try";

/** A merchant that moves is open again within seconds. */
const TRIED_AGAIN_AFTER_MS = 1_000;

/**
 * How long a callback waits for a merchant that is in no cell, or in one that this process does not know. Then it is tried here:
 * that fails, and opens an exception for the operator, who can apply it again later.
 */
const NOWHERE_FOR_MS = 3_600_000;

/** For how long no callback asks again for a merchant whose cell did not answer: each would wait for the same timeout. */
const AWAY_FOR_MS = 5_000;

/** Merchant, or "" for those that only a reference names, to the time until which its cell counts as away; ms of the process's clock. */
const awayUntil = new Map<string, number>();

/**
 * The cell that has what a callback is about; null if it is this one, undefined if that is not known yet, as while a cell is away.
 */
async function whereabouts(
  callback: StoredCallback,
  reading: LocatedReading,
  moves: readonly MerchantFence[],
): Promise<Cell | null | undefined> {
  const asked = reading.merchantId ?? "";
  if ((awayUntil.get(asked) ?? 0) > performance.now()) return undefined;
  try {
    return await look(callback, reading, moves);
  } catch (error) {
    // Said at once, by what has looked: the merchant moves, or is in a cell that this process does not know.
    if (error instanceof ServiceError) return undefined;
    if (asServiceError(error)?.code !== "service_unavailable") throw error;
    awayUntil.set(asked, performance.now() + AWAY_FOR_MS);
    return undefined;
  }
}

/** The same; throws while a cell is away, and what `presentCellOfMerchant` throws. */
async function look(
  callback: StoredCallback,
  reading: LocatedReading,
  moves: readonly MerchantFence[],
): Promise<Cell | null | undefined> {
  const { merchantId, reference } = reading;
  const { provider, receivedAt } = callback;
  if (merchantId !== null) {
    const move = moves.find((one) => one.merchantId === merchantId);
    if (move) return whereaboutsOf(move);
    return isHome(reading) || (await isResident(merchantId)) ? null : whereaboutsFrom(homeOf(reading), merchantId);
  }
  if (reference === null) return null;
  const start = homeOf(reading);
  if (!isHome(reading) && (await findOwnerOf(callback, reading)) !== null) return null;
  const { cells, fences, unknown } = await cellsBeyond(start);
  for (const cell of isHome(reading) ? cells : [start, ...cells]) {
    if ((await inOtherCell(cell, () => findOwnerOf(callback, reading))) !== null) return cell;
  }
  // It may be that of a merchant that moves, or that a process that knows all cells finds.
  const isClosing = moves.some(({ state }) => state === "closing" || state === "leaving");
  if (unknown.length === 0 && !isClosing && !isAnyNowhere(fences)) return null;
  if (now().getTime() - receivedAt.getTime() < NOWHERE_FOR_MS) return undefined;
  log().error({ provider, cells: unknown }, "a callback was tried although its merchant may be in no known cell");
  return null;
}

/** The cell that the name leads to. A process that did not know that cell has stored the callback where the work runs. */
function homeOf({ merchantId, reference }: LocatedReading): Cell {
  if (merchantId !== null) return cellOfId(merchantId);
  return reference === null ? currentCell() : cellOfReference(reference);
}

const isHome = (reading: LocatedReading): boolean => homeOf(reading).name === currentCell().name;

/** The same for a merchant of another cell that never was in this one. */
async function whereaboutsFrom(home: Cell, merchantId: string): Promise<Cell | null> {
  const cell = await inOtherCell(home, () => presentCellOfMerchant(merchantId));
  return (await inOtherCell(cell, () => isResident(merchantId))) ? cell : null;
}

/** True if the running work's cell has the merchant. */
async function isResident(merchantId: string): Promise<boolean> {
  const [presence] = await readPresencesAcrossMerchants([merchantId]);
  return presence?.isResident ?? false;
}

/** The same for a merchant that moves, or has. */
async function whereaboutsOf({ merchantId, state }: MerchantFence): Promise<Cell | null | undefined> {
  if (state === "closing") return undefined;
  const cell = await presentCellOfMerchant(merchantId);
  if (cell.name === currentCell().name) return null;
  // One that was restored to a time before may lack it.
  return (await inOtherCell(cell, () => isResident(merchantId))) ? cell : undefined;
}

/**
 * Stores the callback in the cell that its merchant has moved to, and returns that cell; null if it is to be applied here. May be
 * repeated. Throws service_unavailable while the merchant moves.
 */
export async function storeElsewhere(callback: StoredCallback, reading: LocatedReading): Promise<Cell | null> {
  const moves = await listFences();
  if ((moves.length === 0 && isHome(reading)) || digestState(callback) !== "right") return null;
  const cell = await whereabouts(callback, reading, moves);
  if (cell === undefined) throw temporarilyUnavailable();
  if (cell !== null) await inOtherCell(cell, () => takeOverCallback(callback));
  return cell;
}

/**
 * Hands a claimed callback over to the cell that its merchant is in, or lets it wait while the merchant is in none. Returns false
 * if it is to be applied here. It is stored there first, so a crash in between hands it over again: if it was applied there, it is
 * a duplicate. If the merchant comes back before that, the other cell hands it back. Throws if that cell is away: the callback is
 * tried again.
 */
export async function handOver(
  callback: StoredCallback,
  reading: LocatedReading,
  moves: readonly MerchantFence[],
): Promise<boolean> {
  // It gets a digest of the other cell's row: what no provider is known to have sent stays here, for the operator.
  if (digestState(callback) !== "right") return false;
  const cell = moves.length === 0 && isHome(reading) ? null : await whereabouts(callback, reading, moves);
  if (cell === undefined) {
    await postponeCallbackAcrossMerchants(callback, TRIED_AGAIN_AFTER_MS, false);
    return true;
  }
  if (cell === null) return false;
  await inOtherCell(cell, () => takeOverCallback(callback));
  await finishCallbackAcrossMerchants(callback, "handed_over");
  return true;
}
