// The connections of a command that works on a move, as the owners of the cells.
import { lockMove } from "@/server/db/moves/fences";
import type { Owner } from "@/server/db/moves/owner";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells, type Cell } from "@/server/platform/cell";
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

/** Takes the lock of the merchant's move in a cell. Throws service_unavailable if another session has it. */
export async function requireLock(owner: Owner, merchantId: string): Promise<void> {
  if (await lockMove(owner, merchantId)) return;
  throw new ServiceError("service_unavailable", "Another process is moving the merchant.");
}
