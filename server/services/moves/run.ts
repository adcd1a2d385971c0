// Moves a merchant to another cell, phase by phase (docs/decisions/0082). Each phase can be repeated, so a command that was
// killed is simply run again.
import { isUniqueViolation } from "@/server/db/failures";
import { countRows } from "@/server/db/moves/checks";
import { fenceArrival, hasBeenHere, liftDeparture } from "@/server/db/moves/fences";
import { readDeparture } from "@/server/db/moves/handover";
import type { Owner } from "@/server/db/moves/owner";
import {
  enterPhase,
  findMove,
  findOpenMove,
  HAS_SWITCHED,
  insertMove,
  type MoveRecord,
  PHASES,
} from "@/server/db/moves/record";
import { readMovedTables } from "@/server/db/moves/shape";
import { validationError } from "@/server/domain/errors";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { requireMerchant } from "@/server/services/merchants/require";
import { cellOfMerchant } from "../cells/moved";
import { endAborted, endOvertaken } from "./abort";
import { requireAgreement } from "./agreement";
import { recordMove } from "./audit";
import { compare } from "./compare";
import { copy } from "./copy";
import { open, removeFromOld } from "./finish";
import { follow } from "./follow";
import { type Move, PAUSE_MS } from "./move";
import { findThirdCell, requireOneHome } from "./one-home";
import { endSessionsIdleFor, requireLock, withOwners } from "./owners";
import { pauseAndLeave } from "./pause";
import { requireCell, requireMovable, requireSameMove } from "./requirements";
import { startTriggers } from "./triggers";

export interface MoveReport {
  readonly moveId: string;
  readonly merchantId: string;
  readonly from: string;
  readonly to: string;
  /** The merchant's rows in the new cell by table, without tables that have none. */
  readonly rows: Readonly<Record<string, number>>;
  readonly durationMs: number;
  /** Time in which the merchant was open in neither cell. */
  readonly pausedMs: number;
}

type Say = Move["say"];

/** What is done in each phase; then the next one begins. */
const STEPS: Readonly<Record<Exclude<(typeof PHASES)[number], "done">, (move: Move) => Promise<void>>> = {
  copying: async (move) => {
    await recordMove(move, "merchant.move_begin");
    await copy(move);
  },
  following: follow,
  comparing: compare,
  pausing: pauseAndLeave,
  switched: open,
  removing: removeFromOld,
};

/**
 * Moves a merchant to the cell of that name, or goes on with its open move there. `say` receives lines for the operator. Throws
 * validation_failed for what must be repaired first, not_found for an unknown merchant, and service_unavailable if a cell does
 * not answer or another process moves the merchant.
 */
export function moveMerchant(merchantId: string, to: string, say: Say): Promise<MoveReport> {
  return withOwners(async (connect) => {
    const destination = requireCell("to", to);
    const home = await connect(allCells()[0]);
    const begun = await findOpenMove(home, merchantId);
    if (begun) requireSameMove(begun, to);
    const source = begun ? requireCell("from", begun.fromCell) : await sourceOf(merchantId, destination);
    const owners = { home, from: await connect(source), to: await connect(destination) };
    const tables = await requireMovable(owners.from, owners.to);
    // A killed move may have left the merchant closed, and no worker opens it while this command has the locks.
    await endSessionsIdleFor(PAUSE_MS, [owners.from, owners.to]);
    // In both cells: whoever has lost one of its sessions must not go on to write in the other, where the next move may be.
    await requireLock(owners.from, merchantId);
    await requireLock(owners.to, merchantId);
    const stay = await requireOneHome(merchantId, source);
    if (!begun) await requireAgreement(owners.from, owners.to);
    const record = await lockedRecord(owners, merchantId, begun);
    await liftDeparture(owners.from, merchantId);
    if (!(await hasLeft(owners.from, merchantId))) await endSessionsIdleFor(null, [owners.from, owners.to]);
    const move = { ...owners, record, merchantId, tables, stay, say };
    // Also one that another process has begun while this one waited for the locks.
    await checkCopy(move);
    return finish(move);
  });
}

/**
 * Undoes the open move of a merchant; it stays where it was. Throws validation_failed if there is none, and if the merchant is
 * in the new cell already. A move whose merchant has gone to a third cell since just ends.
 */
export function abortMove(merchantId: string, say: Say): Promise<{ readonly moveId: string; readonly cell: string }> {
  return withOwners(async (connect) => {
    const home = await connect(allCells()[0]);
    const begun = await findOpenMove(home, merchantId);
    if (!begun) throw validationError("the merchant", "has no open move");
    const from = await connect(requireCell("from", begun.fromCell));
    await endSessionsIdleFor(PAUSE_MS, [from]);
    await requireLock(from, merchantId);
    // Another process may have gone on until the lock was free.
    const record = (await findOpenMove(home, merchantId)) ?? begun;
    const hasSwitched = await hasLeft(from, merchantId);
    const third = hasSwitched ? await findThirdCell(merchantId, record) : null;
    if (third) {
      await endSessionsIdleFor(null, [from]);
      const owners = { home, from, to: await connect(requireCell("to", record.toCell)), third: await connect(third) };
      for (const owner of [owners.to, owners.third]) await requireLock(owner, merchantId);
      await endOvertaken({ ...owners, record, merchantId, tables: await readMovedTables(from), say });
      return { moveId: record.id, cell: third.name };
    }
    if (hasSwitched || HAS_SWITCHED.includes(record.phase))
      throw validationError(
        "the merchant",
        `is in ${record.toCell} already: run the command without --abort to finish the move`,
      );
    // First, so that the merchant is open even if the other cell is away.
    await liftDeparture(from, merchantId);
    await endSessionsIdleFor(null, [from]);
    const to = await connect(requireCell("to", record.toCell));
    await requireLock(to, merchantId);
    const tables = await readMovedTables(from);
    await endAborted({ home, from, to, record, merchantId, tables, say });
    return { moveId: record.id, cell: from.cell.name };
  });
}

async function hasLeft(from: Owner, merchantId: string): Promise<boolean> {
  return (await readDeparture(from, merchantId))?.hasLeft ?? false;
}

/** The cell that the merchant is in. Throws not_found for an unknown merchant, validation_failed if it is the destination. */
async function sourceOf(merchantId: string, destination: Cell): Promise<Cell> {
  const cell = await cellOfMerchant(cellOfId(merchantId), merchantId);
  await inOtherCell(cell, () => requireMerchant(merchantId));
  if (cell.name === destination.name) throw validationError("to", `is the cell that the merchant is in`);
  return cell;
}

/** The record of the move, whose lock is taken. Begins one unless it goes on with an open one. */
async function lockedRecord(
  { home, from, to }: Pick<Move, "home" | "from" | "to">,
  merchantId: string,
  begun: MoveRecord | null,
): Promise<MoveRecord> {
  // Another process may have finished or begun one until the lock was free.
  const hasGone = !begun && (await hasLeft(from, merchantId));
  if (hasGone) throw validationError("the merchant", "has just been moved");
  if (!begun) {
    const cells = { fromCell: from.cell.name, toCell: to.cell.name };
    try {
      await insertMove(home, { merchantId, ...cells, isReturn: await hasBeenHere(to, merchantId) });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
  const record = await findOpenMove(home, merchantId);
  // One that leads away from another cell began while this command waited, whose lock and connection are those of this one.
  if (!record || record.fromCell !== from.cell.name) throw validationError("the merchant", "has just been moved");
  requireSameMove(record, to.cell.name);
  return record;
}

/** A copy that another process made may have lost its last rows since, and a table that is newer has no triggers. */
async function checkCopy(move: Move): Promise<void> {
  const { record, from, to, merchantId } = move;
  if (!["following", "comparing", "pausing"].includes(record.phase)) return;
  if (await hasLeft(from, merchantId)) return;
  // The new cell may have been restored since, and be without its fence.
  await fenceArrival(to, merchantId, from.cell.name);
  await startTriggers(move);
  await compare(move);
}

/**
 * The phase to go on with. A merchant that has left the old cell is not copied any more, whatever the record says: the first cell may
 * have been restored or failed over since, and be without the last phases.
 */
async function phaseOf({ record, from, merchantId }: Move): Promise<(typeof PHASES)[number]> {
  const isOver = await hasLeft(from, merchantId);
  const at = PHASES.findIndex((one) => one === record.phase);
  return PHASES[isOver ? Math.max(at, PHASES.indexOf("switched")) : at] ?? "copying";
}

async function finish(move: Move): Promise<MoveReport> {
  const { home, from, to, record, merchantId, tables, say } = move;
  for (const phase of PHASES.slice(PHASES.indexOf(await phaseOf(move)))) {
    await enterPhase(home, record.id, phase);
    say(phase);
    if (phase !== "done") await STEPS[phase](move);
  }
  const counts = await countRows(to, tables, merchantId);
  const ended = await findMove(home, record.id);
  return {
    moveId: record.id,
    merchantId,
    from: from.cell.name,
    to: to.cell.name,
    rows: Object.fromEntries([...counts].filter(([, count]) => count > 0)),
    durationMs: (ended?.endedAt?.getTime() ?? 0) - record.startedAt.getTime(),
    pausedMs: ended?.pausedMs ?? 0,
  };
}
