// A line of a settlement file may have several exceptions: nobody's, and one of each merchant whose members uploaded it.
import type { StoredException } from "@/server/db/exceptions";
import { findHandBookingsAcrossMerchants, type HandBooking, lineIdOf } from "@/server/db/reconciliation/hand-bookings";
import { findKnownLinesAcrossMerchants, findSubjectAcrossMerchants } from "@/server/db/reconciliation/lines";
import { type ServiceError, validationError } from "@/server/domain/errors";
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
  const { provider } = named;
  const scope = { provider, environment, merchantId: null };
  const lineId = lineIdOf(exception);
  // A line that its provider corrects has its id; each of a line's exceptions has it, too.
  const isSameId = (booking: HandBooking) =>
    !(isMissingInternal(fact) && isMissingInternal(booking.fact)) &&
    [booking.lineId, booking.objectId].includes(lineId);
  const isSameLine = (booking: HandBooking) =>
    booking.fact === fact || (!isOfIntent && booking.objectId === objectId) || isSameId(booking);
  const byHand = await findHandBookingsAcrossMerchants(scope);
  if (byHand.some(isSameLine)) return true;
  const lines = await findKnownLinesAcrossMerchants(scope, [{ lineId, reference: null }]);
  const isUpload = (digest: string) =>
    merchantId !== null && fact === missingInternalFact(provider, uploadedDigest(merchantId, digest));
  return lines.some(({ digest, verdict }) => verdict !== "missing_internal" && isUpload(digest));
}

/**
 * Requires that imports decide in this cell on the line that the exception is about, if it is about one. Bank transfers, and what
 * names no intent, are decided on in one cell: a merchant of another cell, whose members have uploaded the line, may not book it
 * unless people say there that it is booked. `isOfIntent` if the line names an intent of the entry's merchant, which is here.
 * Throws validation_failed, which names `member`.
 */
export async function requireDecidedHere(
  { fact, environment }: StoredException,
  isOfIntent: boolean,
  member: "id" | "exception",
): Promise<void> {
  const named = lineOfFact(fact);
  if (named === null) return;
  const line = await findSubjectAcrossMerchants(
    { provider: named.provider, environment, merchantId: null },
    named.digest,
  );
  const isHere =
    line !== null && ((isOfIntent && referenceOf(line) !== null) || homeOfLine(line).name === currentCell().name);
  if (isHere) return;
  throw validationError(
    member,
    "is about a line of a settlement file that another cell decides on. Import the file again. If there is an open exception of nobody about the line then, resolve it with --booked, and propose the entry with --additional; otherwise the line is booked",
  );
}

/** The error for an entry about a line that is booked. */
export function lineIsBooked(member: "id" | "exception"): ServiceError {
  return validationError(
    member,
    "is about a line of a settlement file that the operator's import or another journal entry has booked, for this or another merchant. If this is further money, propose it with --additional",
  );
}
