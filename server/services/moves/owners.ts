// The connections of a command that works on a move, as the owners of the cells.
import { isMoveLockedAcrossMerchants } from "@/server/db/merchant-fences";
import { lockMove } from "@/server/db/moves/fences";
import type { Owner } from "@/server/db/moves/owner";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { asServiceError } from "@/server/services/outage";
import { openCell } from "./requirements";

/** Runs work with connections that are closed at its end. Throws validation_failed if there is one cell only. */
export async function withOwners<Result>(
  work: (connect: (cell: Cell) => Promise<Owner>) => Promise<Result>,
): Promise<Result> {
  if (allCells().length === 1) throw validationError("the installation", "has one cell: name further ones in CELLS");
  const owners: Owner[] = [];
  try {
    return await work(async (cell) => {
      const owner = await openCell(cell);
      owners.push(owner);
      return owner;
    });
  } finally {
    await Promise.all(owners.map((owner) => owner.end()));
  }
}

/**
 * Takes the lock of the merchant's move in a cell. Throws service_unavailable if another session has it, and validation_failed if
 * the owner is connected to another database than the service.
 */
export async function requireLock(owner: Owner, merchantId: string): Promise<void> {
  if (!(await lockMove(owner, merchantId)))
    throw new ServiceError("service_unavailable", "Another process is moving the merchant.");
  await requireSameDatabase(owner, merchantId);
}

/**
 * Throws validation_failed unless the service's address of the cell leads to the database in which this session has the lock of
 * the merchant's move. After a failover, it leads to the new server.
 */
export async function requireSameDatabase({ cell }: Owner, merchantId: string): Promise<void> {
  if (await isLockedForService(cell, merchantId)) return;
  throw validationError(cell.name, "has a direct address that leads to another database than its other one");
}

async function isLockedForService(cell: Cell, merchantId: string): Promise<boolean> {
  try {
    return await inOtherCell(cell, () => isMoveLockedAcrossMerchants(merchantId));
  } catch (error) {
    if (!asServiceError(error)) throw error;
    throw new ServiceError("service_unavailable", `The cell ${cell.name} does not answer.`, 1);
  }
}

/**
 * Lets the servers end these sessions once they are idle for that time in ms; null for never. While a merchant is closed, the locks
 * of a process that is stopped, and has no timers, would keep it so.
 */
export async function endSessionsIdleFor(ms: number | null, owners: readonly Owner[]): Promise<void> {
  const sql = "SELECT set_config(name, $1, false) FROM unnest($2::text[]) AS name";
  const settings = ["idle_session_timeout", "idle_in_transaction_session_timeout"];
  for (const owner of owners) await owner.query(sql, `${ms ?? 0}ms`, settings);
}
