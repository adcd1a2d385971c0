// The triggers of a move in both cells: made before anything is copied, and removed without holding anybody up.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetChanges } from "@/server/db/moves/changes";
import type { Owner } from "@/server/db/moves/owner";
import type { LockHolder } from "@/server/db/moves/table-locks";
import { beginTriggers, endTriggers, makeTriggers, removeEndedTriggers } from "@/server/db/moves/triggers";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { Move, OpenMove } from "./move";

/** Whoever writes a table for longer makes the move fail, which has done nothing yet. */
const TABLE_MS = 600_000;
/** So long without any progress: a nightly backup locks every table for hours. A worker goes on with what is left then. */
const REMOVAL_MS = 5_000;
const BETWEEN_TRIES_MS = 200;

/**
 * Makes the triggers on every table of both cells; may be repeated. From then on each change of the merchant in the old cell is
 * noted, nobody else writes for it in the new one, and the logs of both lose nothing. Throws service_unavailable if a transaction
 * writes a table for 10 minutes, and validation_failed if the move has ended: the first cell was restored to a time before that.
 */
export async function startTriggers({ from, to, record, merchantId, tables }: Move): Promise<void> {
  const of = { moveId: record.id, merchantId };
  for (const { owner, kind } of [{ owner: from, kind: "noting" } as const, { owner: to, kind: "refusing" } as const]) {
    if (!(await beginTriggers(owner, record.id, merchantId))) throw hasEnded(owner);
    for (const table of tables) {
      const holder = await makeTriggers(owner, table, { ...of, kind }, TABLE_MS);
      if (holder) throw stillLocked(owner, table.name, holder);
    }
  }
}

function hasEnded({ cell }: Owner): ServiceError {
  const why = `has a move that has ended in ${cell.name}, while its record is from before that`;
  return validationError("the merchant", `${why}: run with --abort, then begin another one`);
}

function stillLocked({ cell }: Owner, table: string, { pid, application }: LockHolder): ServiceError {
  const session = `session ${pid} (${application || "unnamed"})`;
  const lasts = `A transaction of ${session} kept the table ${table} locked for ${TABLE_MS / 60_000} minutes`;
  return new ServiceError("service_unavailable", `${lasts} in ${cell.name}. Run the command again.`);
}

/** Ends the triggers in both cells and forgets what was noted. Removes them, or leaves some that do nothing to a worker. */
export async function stopTriggers(move: OpenMove): Promise<void> {
  for (const owner of [move.from, move.to]) await stopTriggersIn(move, owner);
}

/** The same in one of the cells. */
export async function stopTriggersIn({ record, merchantId, say }: OpenMove, owner: Owner): Promise<void> {
  const remaining = await stopTriggersOf(owner, [record.id], merchantId);
  if (remaining === 0) return;
  say(`${remaining} tables of ${owner.cell.name} are in use; a worker removes the move's triggers there later`);
}

/** The same for several moves of a merchant in one cell. Returns in how many tables a worker must remove triggers later. */
export async function stopTriggersOf(owner: Owner, moveIds: readonly string[], merchantId: string): Promise<number> {
  for (const moveId of moveIds) await endTriggers(owner, moveId, merchantId);
  await forgetChanges(owner, merchantId);
  let remaining = await removeEndedTriggers(owner);
  for (let end = performance.now() + REMOVAL_MS; remaining > 0 && performance.now() < end; ) {
    const left = await removeEndedTriggers(owner);
    if (left < remaining) end = performance.now() + REMOVAL_MS;
    else await sleep(BETWEEN_TRIES_MS);
    remaining = left;
  }
  return remaining;
}
