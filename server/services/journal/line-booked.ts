// A line of a settlement file may have several exceptions: nobody's, and one of each merchant whose members uploaded it.
import type { StoredException } from "@/server/db/exceptions";
import { findHandBookingsAcrossMerchants, type HandBooking, lineIdOf } from "@/server/db/reconciliation/hand-bookings";
import { findKnownLinesAcrossMerchants, findSubjectAcrossMerchants } from "@/server/db/reconciliation/lines";
import { type ServiceError, validationError } from "@/server/domain/errors";
import { REUSED_ID } from "@/server/domain/reconciliation";
import { isMissingInternal, lineOfFact, missingInternalFact } from "@/server/domain/reconciliation-exceptions";
import { currentCell } from "@/server/platform/cell";
import { uploadedDigest } from "../reconciliation/hand-booked-lines";
import { homeOfLine, referenceOf } from "../reconciliation/home-of-line";

/**
 * True if people have booked the line that the exception is about, for whatever merchant, or the operator's import has
 * found it. `isOfIntent` if the line names an intent of the entry's merchant; another line under the same reference, or without one
 * under the same `line_id`, counts as the same where it does not. So does one under the same `line_id` if either is a duplicate or
 * nobody's fee. Reads this cell only: imports decide on the line here (`requireDecidedHere`).
 */
export async function isLineBooked(exception: StoredException, isOfIntent: boolean): Promise<boolean> {
  const { fact, objectId, environment, merchantId } = exception;
  const named = lineOfFact(fact);
  if (named === null) return false;
  const { provider, digest: ownDigest } = named;
  const scope = { provider, environment, merchantId: null };
  const lineId = lineIdOf(exception);
  // A line that its provider corrects has its id; each of a line's exceptions has it, too.
  const isSameId = (booking: HandBooking) =>
    !(isMissingInternal(fact) && isMissingInternal(booking.fact)) &&
    [booking.lineId, booking.objectId].includes(lineId);
  const isCopyOf = (uploader: string | null, copy: string, digest: string | undefined) =>
    uploader !== null &&
    digest !== undefined &&
    copy === missingInternalFact(provider, uploadedDigest(uploader, digest));
  const isCopy = (booking: HandBooking) =>
    isCopyOf(merchantId, fact, lineOfFact(booking.fact)?.digest) ||
    isCopyOf(booking.merchantId, booking.fact, ownDigest);
  const isSameLine = (booking: HandBooking) =>
    booking.fact === fact || isCopy(booking) || (!isOfIntent && booking.objectId === objectId) || isSameId(booking);
  const byHand = await findHandBookingsAcrossMerchants(scope);
  if (byHand.some(isSameLine)) return true;
  const lines = await findKnownLinesAcrossMerchants(scope, [{ lineId, reference: null }]);
  return lines.some(({ digest, verdict }) => verdict !== "missing_internal" && isCopyOf(merchantId, fact, digest));
}

/**
 * Requires that imports decide in this cell on the line that the exception is about, if it is about one, and on the line whose
 * `line_id` it has. Bank transfers, and what names no intent, are decided on in one cell: a merchant of another cell, whose members
 * have uploaded the line, may not book it unless people say there that it is booked. `isOfIntent` if the line names an intent of the
 * entry's merchant, which is here. Throws validation_failed, which names `member`.
 */
export async function requireDecidedHere(
  exception: StoredException,
  isOfIntent: boolean,
  member: "id" | "exception",
): Promise<void> {
  const { fact, environment, detail } = exception;
  const named = lineOfFact(fact);
  if (named === null) return;
  const scope = { provider: named.provider, environment, merchantId: null };
  const line = await findSubjectAcrossMerchants(scope, named.digest);
  const isIntents = isOfIntent && line !== null && referenceOf(line) !== null;
  if (line === null || (!isIntents && homeOfLine(line).name !== currentCell().name))
    throw validationError(
      member,
      "is about a line of a settlement file that another cell decides on. Import the file again. Unless that books the line, resolve the exception of no merchant about it with --booked, and propose the entry with --additional",
    );
  if (detail["why"] !== REUSED_ID) return;
  const namesakes = await findKnownLinesAcrossMerchants(scope, [{ lineId: lineIdOf(exception), reference: null }]);
  if (!namesakes.some(({ digest }) => digest !== named.digest))
    throw validationError(
      member,
      "is about a line whose line_id names a line in another cell, which may be booked. Check that one; if this is further money, propose it with --additional",
    );
}

/** The error for an entry by an exception of nobody that is in another cell than the entry's merchant. */
export function inAnotherCell(): ServiceError {
  return validationError(
    "exception",
    "is in another cell than the merchant. If its line names an intent of the merchant, import the settlement file again, and propose the entry with the exception that this opens, or with --about. If not, resolve the exception with --booked, and propose the entry with --additional and without it. Reject an entry that names it",
  );
}

/** The error for an entry about a line that is booked. */
export function lineIsBooked(member: "id" | "exception"): ServiceError {
  return validationError(
    member,
    "is about a line of a settlement file that the operator's import or another journal entry has booked, for this or another merchant. If this is further money, propose it with --additional",
  );
}
