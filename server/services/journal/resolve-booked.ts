// Entries may book the money of a settlement line without naming its exception, such as for several merchants.
import type { StoredException } from "@/server/db/exceptions";
import { resolveAsBooked } from "@/server/db/reconciliation/hand-bookings";
import { findSubjectAcrossMerchants } from "@/server/db/reconciliation/lines";
import { validationError } from "@/server/domain/errors";
import { lineOfFact } from "@/server/domain/reconciliation-exceptions";
import type { CallContext } from "@/server/domain/scope";
import { DISPATCHED_KINDS, namesKind } from "@/server/platform/dispatch-reference";
import { answeringAct, checkedResolution, requireException } from "../exceptions/decide";
import { referenceOf } from "../reconciliation/home-of-line";

/**
 * Resolves an exception of nobody about a line of a settlement file, as the operator. `resolution` has 1 to 496 characters. No import
 * books the line any more. An exception that is resolved keeps its resolution. Throws not_found, and validation_failed for any other
 * exception, for a line that is booked already, and for one
 * that names an intent or refund of ours: it goes where its merchant goes, which a journal entry does, too.
 */
export async function resolveBookedLine(
  context: CallContext,
  id: string,
  resolution: string,
): Promise<StoredException> {
  const text = checkedResolution(`Booked by hand: ${checkedResolution(resolution)}`);
  const act = await answeringAct(context);
  const exception = await requireException(context.scope, id);
  const named = lineOfFact(exception.fact);
  if (exception.merchantId !== null || named === null)
    throw validationError("booked", "requires an exception of no merchant about a line of a settlement file");
  const { provider, digest } = named;
  const line = await findSubjectAcrossMerchants(
    { provider, environment: exception.environment, merchantId: null },
    digest,
  );
  const reference = line && referenceOf(line);
  if (reference !== null && DISPATCHED_KINDS.some((kind) => namesKind(kind, reference)))
    throw validationError(
      "booked",
      `must be omitted: the line names ${reference}, whose merchant books it with a journal entry that names the exception`,
    );
  const resolved = await resolveAsBooked(exception, named, text, act);
  if (!resolved) throw validationError("id", "is about a line that is booked already, by an import or by hand");
  return resolved;
}
