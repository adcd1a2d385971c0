// A line of a settlement file may have several exceptions: nobody's, and one of each merchant whose members uploaded it.
import type { StoredException } from "@/server/db/exceptions";
import type { MerchantFence } from "@/server/db/merchant-fences";
import { findHandBookingsAcrossMerchants, type HandBooking } from "@/server/db/reconciliation/hand-bookings";
import { whileLinesHeld } from "@/server/db/reconciliation/import";
import { findKnownLinesAcrossMerchants } from "@/server/db/reconciliation/lines";
import { type ServiceError, validationError } from "@/server/domain/errors";
import { isMissingInternal, missingInternalFact, providerOfFact } from "@/server/domain/reconciliation-exceptions";
import { allCells, currentCell, inOtherCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { requireNobodyMoved } from "../cells/between";
import { uploadedDigest } from "../reconciliation/hand-booked-lines";

/**
 * True if a confirmed entry, of whatever merchant, has booked the line that the exception is about, or the operator's import has
 * found it. `isOfIntent` if the line names an intent of the entry's merchant; another line under the same reference, or without one
 * under the same `line_id`, counts as the same where it does not. So does one under the same `line_id` if either is a duplicate or
 * nobody's fee. Looks into all cells; throws service_unavailable if one is away,
 * while a merchant moves, and if one is in a cell that this process does not know.
 */
export async function isLineBooked(exception: StoredException, isOfIntent: boolean): Promise<boolean> {
  const { fact, objectId, environment, merchantId, detail } = exception;
  const provider = providerOfFact(fact);
  if (provider === null) return false;
  const scope = { provider, environment, merchantId: null };
  const lineId = detail["line_id"] ?? objectId;
  // A line that its provider corrects has its id; each of a line's exceptions has it, too.
  const isSameId = (entry: HandBooking) =>
    !(isMissingInternal(fact) && isMissingInternal(entry.fact)) && [entry.lineId, entry.objectId].includes(lineId);
  const isSameLine = (entry: HandBooking) =>
    entry.fact === fact || (!isOfIntent && entry.objectId === objectId) || isSameId(entry);
  const fences = new Map<string, readonly MerchantFence[]>();
  for (const cell of allCells()) {
    const byHand = await inOtherCell(cell, () => findHandBookingsAcrossMerchants(scope));
    fences.set(cell.name, byHand.fences);
    if (byHand.entries.some(isSameLine)) return true;
    const lines = await inOtherCell(cell, () => findKnownLinesAcrossMerchants(scope, [{ lineId, reference: null }]));
    const isUpload = (digest: string) =>
      merchantId !== null && fact === missingInternalFact(provider, uploadedDigest(merchantId, digest));
    if (lines.some(({ digest, verdict }) => verdict !== "missing_internal" && isUpload(digest))) return true;
  }
  await requireNobodyMoved(fences);
  return false;
}

/**
 * Confirms an entry, by `confirm`, while no import decides on the line of its exception. Lines of all merchants may be in the first
 * cell, such as bank transfers, so that one keeps imports and other entries away, too. Throws service_unavailable if it is away.
 */
export function confirmBesideImports<Result>(
  exception: StoredException | null,
  merchantId: string,
  confirm: () => Promise<Result>,
): Promise<Result> {
  const provider = exception && providerOfFact(exception.fact);
  const [own, [first]] = [currentCell(), allCells()];
  // In its own cell, the commit does that itself.
  if (!exception || provider === null || own.name === first.name) return confirm();
  const inOwn = () => inOtherCell(own, () => withinMerchant(merchantId, confirm));
  return inOtherCell(first, () => whileLinesHeld(exception.environment, provider, inOwn));
}

/** The error for an entry about a line that is booked. */
export function lineIsBooked(member: "id" | "exception"): ServiceError {
  return validationError(
    member,
    "is about a line of a settlement file that the operator's import or another journal entry has booked, for this or another merchant. If this is further money, propose it with --additional",
  );
}
