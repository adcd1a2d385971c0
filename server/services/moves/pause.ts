// The pause: the merchant is closed in the old cell, its last changes are copied and checked, and it leaves.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fenceArrival, fenceDeparture, liftDeparture, waitForWorkUnderWay } from "@/server/db/moves/fences";
import { completeArrival, completeDeparture, openArrival, readDeparture } from "@/server/db/moves/handover";
import { listPeople } from "@/server/db/moves/people";
import { ServiceError } from "@/server/domain/errors";
import { notePeopleIn } from "@/server/services/sign-in/person-cells";
import { requireAgreement } from "./agreement";
import { findDifferences, findFaults, findOtherEnd } from "./check";
import { compare } from "./compare";
import { follow, followToTheEnd, type ReadChanged } from "./follow";
import { type Move, PAUSE_MS } from "./move";
import { findOlderTransaction } from "./older-transactions";
import { endSessionsIdleFor, requireSameDatabase } from "./owners";
import { requireKnownTables, requireSameShapes } from "./requirements";
import { awaitStoredDeparture, type FarStandbys, findFarStandbys, findUnstoredCopy } from "./standbys";

/** Work that is under way may end for so long, in each of the two steps. */
const CLOSING_MS = 5_000;
/** A request's statement ends within this time; whoever takes longer makes the move wait, not the merchant. */
const OLDER_TRANSACTIONS_MS = 3_000;
const TRIES = 30;
const BETWEEN_TRIES_MS = 3_000;

/** Why a merchant did not leave: other work in the databases, or rows that differ. */
type Hindrance = { readonly transactions: string } | { readonly faults: readonly string[] };

/**
 * Closes the merchant in the old cell for good, unless it has left already: the point of no return. If it cannot, it is open
 * again as before; the last error says why.
 */
export async function pauseAndLeave(move: Move): Promise<void> {
  const { from, to, merchantId, say } = move;
  if ((await readDeparture(from, merchantId))?.hasLeft) return;
  await takeBack(move);
  let hindrance: Hindrance | null = null;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await follow(move);
    const hadFaults: boolean = hindrance !== null && "faults" in hindrance;
    hindrance = await checkAndLeave(move);
    if (!hindrance) return;
    if ("transactions" in hindrance) {
      say(`the merchant stays open for now: ${hindrance.transactions}`);
      await sleep(BETWEEN_TRIES_MS);
    } else if (hadFaults) {
      break;
    } else {
      say(`the merchant stays open for now: ${hindrance.faults.join("; ")}`);
      await compare(move);
    }
  }
  throw notLeft(hindrance, from.cell.name, to.cell.name);
}

function notLeft(hindrance: Hindrance | null, from: string, to: string): ServiceError {
  const stays = `The merchant stays in ${from}, open as before.`;
  if (hindrance && "faults" in hindrance) {
    const why = `The copy in ${to} is not the same: ${hindrance.faults.join("; ")}.`;
    return new ServiceError("validation_failed", `${why} ${stays} Run the command with --abort, and report this.`);
  }
  return new ServiceError("service_unavailable", `${hindrance?.transactions}. ${stays} Run the command again.`);
}

async function checkAndLeave(move: Move): Promise<Hindrance | null> {
  // Both may have changed since the move began.
  await requireAgreement(move.from, move.to);
  const faults = await findFaults(move);
  if (faults.length > 0) return { faults };
  const look = async (changed: ReadChanged) => void faults.push(...(await findDifferences(move, changed)));
  await follow(move, look);
  const far = await findFarStandbys(move);
  return withinPause(move, () => tryToLeave(move, { look, faults, far }));
}

/** Ends a pause in which a cell does not answer by breaking the connections: the worker then opens the merchant again. */
async function withinPause<Result>({ from, to }: Move, work: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => {
    from.cut();
    to.cut();
  }, PAUSE_MS);
  try {
    await endSessionsIdleFor(PAUSE_MS, [from, to]);
    return await work();
  } finally {
    clearTimeout(timer);
    await endSessionsIdleFor(null, [from, to]).catch(() => undefined);
  }
}

interface Watch {
  /** Checks each round since all rows were checked. */
  readonly look: (changed: ReadChanged) => Promise<void>;
  /** What the rounds have found. */
  readonly faults: string[];
  readonly far: FarStandbys;
}

/** Opens the merchant in the old cell again, and makes the copy in the new one count for nothing again, unless it has left. */
async function takeBack({ from, to, merchantId }: Move): Promise<void> {
  await liftDeparture(from, merchantId);
  if (!(await readDeparture(from, merchantId))?.hasLeft) await fenceArrival(to, merchantId, from.cell.name);
}

/** Returns what kept the merchant from leaving, after it was opened again. */
async function tryToLeave(move: Move, watch: Watch): Promise<Hindrance | null> {
  try {
    const hindrance = await leaveUnlessHindered(move, watch);
    if (hindrance) await takeBack(move);
    return hindrance;
  } catch (error) {
    // A connection that has broken cannot do this: the worker does, or the next run of the command.
    await takeBack(move).catch(() => undefined);
    throw error;
  }
}

async function leaveUnlessHindered(move: Move, { look, faults, far }: Watch): Promise<Hindrance | null> {
  const { from, to, merchantId, stay } = move;
  // The merchant is still open, so a long transaction holds up the move, and not the merchant.
  const older = await findOlderTransaction(from, CLOSING_MS);
  if (older) return { transactions: older };
  if (!(await fenceDeparture(from, merchantId, "closing", to.cell.name)))
    return { transactions: `An import of the operator's settlement file runs in ${from.cell.name}` };
  // A worker may have claimed something in a transaction that began since.
  const claims = await findOlderTransaction(from, CLOSING_MS);
  if (claims) return { transactions: claims };
  await waitForWorkUnderWay(from, merchantId, CLOSING_MS);
  await follow(move, look);
  await fenceDeparture(from, merchantId, "leaving", to.cell.name);
  const writes = await findOlderTransaction(from, OLDER_TRANSACTIONS_MS);
  if (writes) return { transactions: writes };
  // From here on nothing is written for the merchant in a table that a migration has made meanwhile.
  await requireKnownTables(from);
  await requireSameShapes([from, to], move.tables);
  await followToTheEnd(move, look);
  faults.push(...(await findOtherEnd(move)));
  if (faults.length > 0) return { faults };
  await notePeopleIn(to.cell, await listPeople(to, merchantId));
  const handover = { stay, word: randomBytes(32).toString("hex") };
  await completeArrival(to, merchantId, handover);
  const unstored = await findUnstoredCopy(move, far);
  if (unstored) return { transactions: unstored };
  // A cell may have failed over since the move began.
  for (const owner of [from, to]) await requireSameDatabase(owner, merchantId);
  if (!(await completeDeparture(from, merchantId, handover))) return { transactions: "The fence was lifted meanwhile" };
  // From here on until it opens, the merchant is open nowhere.
  await awaitStoredDeparture(move, far);
  await openArrival(to, merchantId, handover.word);
  return null;
}
