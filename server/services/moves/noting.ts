// The triggers of a move in the old cell: made before anything is copied, and removed without holding anybody up.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetChanges } from "@/server/db/moves/changes";
import type { Owner } from "@/server/db/moves/owner";
import { beginNoting, endNoting, noteChanges, removeEndedNotes } from "@/server/db/moves/triggers";
import { ServiceError } from "@/server/domain/errors";
import type { Move, OpenMove } from "./move";

/** Whoever writes a table for longer makes the move fail, which has done nothing yet. */
const TABLE_MS = 600_000;
/** So long without any progress: a nightly backup locks every table for hours. A worker goes on with what is left then. */
const REMOVAL_MS = 5_000;
const BETWEEN_TRIES_MS = 200;

/**
 * Makes the triggers on every table; may be repeated. From then on each change of the merchant is noted, and the old cell's logs
 * lose nothing. Throws service_unavailable if a transaction writes a table for 10 minutes.
 */
export async function startNoting({ from, record, merchantId, tables }: Move): Promise<void> {
  await beginNoting(from, record.id, merchantId);
  for (const table of tables) {
    const holder = await noteChanges(from, table, record.id, merchantId, TABLE_MS);
    if (!holder) continue;
    const session = `session ${holder.pid} (${holder.application || "unnamed"})`;
    const lasts = `A transaction of ${session} kept the table ${table.name} locked for ${TABLE_MS / 60_000} minutes`;
    throw new ServiceError("service_unavailable", `${lasts} in ${from.cell.name}. Run the command again.`);
  }
}

/** Ends the noting and forgets what was noted. Removes the triggers, or leaves some that note nothing to a worker. */
export async function stopNoting({ from, record, merchantId, say }: OpenMove): Promise<void> {
  const remaining = await stopNotingOf(from, [record.id], merchantId);
  if (remaining > 0) say(`${remaining} tables are in use; a worker removes the move's triggers there later`);
}

/** The same for several moves of a merchant from one cell. Returns in how many tables a worker must remove triggers later. */
export async function stopNotingOf(owner: Owner, moveIds: readonly string[], merchantId: string): Promise<number> {
  for (const moveId of moveIds) await endNoting(owner, moveId, merchantId);
  await forgetChanges(owner, merchantId);
  let remaining = await removeEndedNotes(owner);
  for (let end = performance.now() + REMOVAL_MS; remaining > 0 && performance.now() < end; ) {
    const left = await removeEndedNotes(owner);
    if (left < remaining) end = performance.now() + REMOVAL_MS;
    else await sleep(BETWEEN_TRIES_MS);
    remaining = left;
  }
  return remaining;
}
