// An exception that is nobody's may be about an intent of another merchant than the one whose money an entry would book.
import { findReferencesAcrossMerchants } from "@/server/db/reconciliation/books";
import { validationError } from "@/server/domain/errors";
import type { Environment } from "@/server/domain/scope";
import { currentCell, inOtherCell } from "@/server/platform/cell";
import { namesKind } from "@/server/platform/dispatch-reference";
import { cellsBeyond } from "../cells/moved";
import { temporarilyUnavailable } from "../outage";

/**
 * Throws validation_failed if an intent has been sent under this reference, which the caller's merchant does not have. Looks into
 * all cells to which merchants have moved; throws service_unavailable if one is away.
 */
export async function refuseIntentOfOthers(environment: Environment, reference: string): Promise<void> {
  if (namesKind("suspenseRefund", reference)) return;
  const { cells, unknown } = await cellsBeyond(currentCell());
  for (const cell of [currentCell(), ...cells]) {
    const { found } = await inOtherCell(cell, () => findReferencesAcrossMerchants(environment, [reference]));
    if (found.length > 0) throw validationError("exception", `is about ${reference}, which is of another merchant`);
  }
  if (unknown.length > 0) throw temporarilyUnavailable();
}
