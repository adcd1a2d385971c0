// An exception may be about an intent that its merchant does not have: another merchant's, or one that a restore has lost.
import type { MerchantFence } from "@/server/db/merchant-fences";
import { findReferencesAcrossMerchants } from "@/server/db/reconciliation/books";
import { validationError } from "@/server/domain/errors";
import type { Environment } from "@/server/domain/scope";
import { allCells, inOtherCell } from "@/server/platform/cell";
import { DISPATCHED_KINDS, namesKind } from "@/server/platform/dispatch-reference";
import { requireNobodyMoved } from "../cells/between";

/**
 * Requires that an entry may be booked about a reference under which the entry's merchant has no intent and no refund. Throws
 * validation_failed if another merchant's has been sent under it, or if it is one of ours that nobody knows: a restore may have
 * lost it, and the merchant may repeat its request and get the same reference; `isAdditional` says that it will not. Looks into all
 * cells; throws service_unavailable if one is away, while a merchant moves, and if one is in a cell that this process does not know.
 */
export async function requireNobodys(
  environment: Environment,
  reference: string,
  isAdditional: boolean,
): Promise<void> {
  if (!DISPATCHED_KINDS.some((kind) => namesKind(kind, reference))) return;
  const fences = new Map<string, readonly MerchantFence[]>();
  for (const cell of allCells()) {
    const there = await inOtherCell(cell, () => findReferencesAcrossMerchants(environment, [reference]));
    const { found } = there;
    fences.set(cell.name, there.fences);
    if (found.length > 0) throw validationError("exception", `is about ${reference}, which is of another merchant`);
  }
  await requireNobodyMoved(fences);
  if (!isAdditional)
    throw validationError(
      "exception",
      `is about ${reference}, which is unknown: a restore may have lost it. Let the merchant repeat its request under the same merchant_reference, and the provider's report books the money. If it will not, propose the entry with --additional`,
    );
}
