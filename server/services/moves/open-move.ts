// Whether a merchant may have rows in another cell that it is not served from.
import { readCopyAcrossMerchants } from "@/server/db/merchant-stays";
import { isMovingAcrossMerchants } from "@/server/db/moves/record";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells, type Cell, currentCell, inOtherCell, isOnlyCell } from "@/server/platform/cell";
import { asServiceError } from "../outage";

/**
 * Throws validation_failed unless the running work's cell alone has rows of the merchant: while a move is open, and after a restore,
 * another one may have them as well. The message says what to do. Throws service_unavailable if a cell does not answer.
 */
export async function requireOneCopy(merchantId: string): Promise<void> {
  if (isOnlyCell()) return;
  if (await ask(allCells()[0], () => isMovingAcrossMerchants(merchantId)))
    throw validationError("the merchant", "is in two cells: finish its move, or abort it, and repeat this command");
  const here = currentCell().name;
  const others = allCells().filter(({ name }) => name !== here);
  await Promise.all(others.map((cell) => requireNoCopy(cell, merchantId)));
}

async function requireNoCopy(cell: Cell, merchantId: string): Promise<void> {
  const copy = await ask(cell, () => readCopyAcrossMerchants(merchantId));
  if (copy === null) return;
  const command = `merchants drop-copy --merchant ${merchantId} --from ${cell.name}`;
  if (copy === "left")
    throw validationError(
      "the merchant",
      `has left ${cell.name}, which still has its rows: run ${command}, and repeat this command`,
    );
  throw validationError(
    "the merchant",
    `has rows in ${cell.name} as well: see "A cell lacks a move" in docs/operating.md, and repeat this command`,
  );
}

async function ask<Result>(cell: Cell, work: () => Promise<Result>): Promise<Result> {
  try {
    return await inOtherCell(cell, work);
  } catch (error) {
    if (!asServiceError(error)) throw error;
    throw new ServiceError("service_unavailable", `The cell ${cell.name} does not answer.`, 1);
  }
}
