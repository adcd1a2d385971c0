// Finds merchants that are open in two cells or in none, after a crash, a failover or a restore (docs/decisions/0082), and settles
// what can be settled in the running work's cell.

import { readStoredFencesAcrossMerchants } from "@/server/db/merchant-fences";
import {
  closeOlderStayAcrossMerchants,
  noteLostMerchantAcrossMerchants,
  openArrivalAcrossMerchants,
} from "@/server/db/merchant-stays";
import { ServiceError } from "@/server/domain/errors";
import { allCells, type Cell, currentCell, inOtherCell, perCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { asServiceError } from "../outage";
import { leadOn } from "./lead-on";
import { compareStays, type LocatedPresence, newestResidence, type Presences, readPresences } from "./presences";

/** Merchants that were in no cell at the last look. The cells are not read at one moment, so that a second look decides. */
const suspects = perCell(() => new Set<string>());

/**
 * Closes merchants of the cell that are open in another one in a later stay. Opens those that have left their old cell while
 * their move was killed. Notes those that have left for a cell that lacks them. Repairs where names of merchants lead to. Returns
 * the cells that did not answer; their merchants are settled once they answer. With one cell, nothing is read.
 */
export async function settleStays(): Promise<readonly Cell[]> {
  if (allCells().length === 1) return [];
  const presences = await readPresences();
  await settleHere(presences);
  return presences.absent;
}

async function settleHere({ byMerchant, absent }: Presences): Promise<void> {
  const here = currentCell();
  if (await readStoredFencesAcrossMerchants())
    log().error({ cell: here.name }, "the fences of a cell were not read: its rows were loaded without triggers");
  const missing = new Set<string>();
  for (const [merchantId, places] of byMerchant) {
    const own = places.find(({ cell }) => cell.name === here.name);
    if (!own) continue;
    const others = places.filter((place) => place !== own);
    if (own.isResident) await closeIfOlder(own, others);
    if (own.state === "ready") await openIfGiven(own, others);
    const newest = newestResidence(places);
    if (newest && absent.length === 0) await leadOn(own, newest, places);
    if (own.state !== "left") continue;
    const isHeld = (newestResidence(others)?.stay ?? -1) >= (own.nextStay ?? 0);
    const isMissing = absent.length === 0 && !isHeld && isNowhere(own, others);
    if (isMissing) missing.add(merchantId);
    await noteLost(own, isMissing && suspects().has(merchantId), isHeld);
  }
  suspects().clear();
  for (const merchantId of missing) suspects().add(merchantId);
}

async function closeIfOlder(own: LocatedPresence, others: readonly LocatedPresence[]): Promise<void> {
  const { merchantId } = own;
  const newer = newestResidence(others);
  if (!newer || compareStays(newer, own) <= 0) return;
  if (!(await closeOlderStayAcrossMerchants(merchantId, newer.cell.name, newer.stay, newer.stayedSince))) return;
  const found = { merchant: merchantId, cell: currentCell().name, newer_cell: newer.cell.name };
  log().error(found, "a merchant was open in two cells and was closed in the older one: look at what it did there");
}

async function openIfGiven(own: LocatedPresence, others: readonly LocatedPresence[]): Promise<void> {
  const { merchantId, otherCell, nextStay } = own;
  // A restored copy of an earlier stay: the merchant has gone on since. Where an older stay is open, that was restored.
  if ((newestResidence(others)?.stay ?? -1) >= (nextStay ?? 0)) return;
  const given = others.find(({ cell, state }) => cell.name === otherCell && state === "left");
  if (!given?.word || given.otherCell !== currentCell().name) return;
  if (!(await openArrivalAcrossMerchants(merchantId, given.word))) return;
  log().warn(
    { merchant: merchantId, cell: currentCell().name },
    "a merchant was opened whose move was killed at its end: run it again",
  );
}

/** Whether the merchant has gone from here to a cell that lacks it, and is not just being opened. */
function isNowhere({ otherCell, word, nextStay }: LocatedPresence, others: readonly LocatedPresence[]): boolean {
  if (word !== null && others.some(({ state }) => state === "ready")) return false;
  const next = others.find(({ cell }) => cell.name === otherCell);
  if (!next) return false;
  const hasGoneOn = next.state === "left" && (next.nextStay ?? 0) > (nextStay ?? 0);
  return !hasGoneOn;
}

async function noteLost({ merchantId, otherCell, lostSince }: LocatedPresence, isLost: boolean, isFound: boolean) {
  if (isLost && lostSince === null && (await noteLostMerchantAcrossMerchants(merchantId, true)))
    log().error(
      { merchant: merchantId, left: currentCell().name, other_cell: otherCell },
      "a merchant is lost: the cell to which it has moved lacks it, or has an earlier state of it",
    );
  if (isFound && lostSince !== null && (await noteLostMerchantAcrossMerchants(merchantId, false)))
    log().warn({ merchant: merchantId, cell: otherCell }, "a merchant that was lost is in a cell again");
}

/** Settles in those cells that answer, by one reading for all of them. Does not throw for a cell that is away. */
async function settleStaysIn(cells: readonly Cell[]): Promise<void> {
  if (allCells().length === 1) return;
  const presences = await readPresences();
  for (const cell of cells.filter((one) => !presences.absent.includes(one)))
    try {
      await inOtherCell(cell, () => settleHere(presences));
    } catch (error) {
      if (!asServiceError(error)) throw error;
      log().warn({ err: error, cell: cell.name }, "it was not checked which merchants of the cell have moved");
    }
}

/** Settles in all cells before a process serves anything. */
export function settleStaysAtStart(): Promise<void> {
  return settleStaysIn(allCells());
}

/**
 * Settles in all cells that this process works for; the loop of the first of them does it for all, since each reading asks every
 * cell. Returns 0: nothing more is due at once.
 */
export async function settleStaysOfWorker(): Promise<number> {
  const { workerCells } = env();
  if (workerCells[0]?.name === currentCell().name) await settleStaysIn(workerCells);
  return 0;
}

/**
 * Settles in the running work's cell before its payouts go on after a restore or a failover. Throws service_unavailable if a
 * cell does not answer: a merchant of this one may be there in a later stay.
 */
export async function requireSettledStays(): Promise<void> {
  const [away] = await settleStays();
  if (away)
    throw new ServiceError(
      "service_unavailable",
      `The cell ${away.name} does not answer. Merchants that have moved there may be open in ${currentCell().name} as well, so payouts stay paused until it does.`,
      1,
    );
}
