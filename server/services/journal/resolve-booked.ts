// Entries may book the money of a settlement line without naming its exception, such as for several merchants.
import type { StoredException } from "@/server/db/exceptions";
import { resolveAsBooked } from "@/server/db/reconciliation/hand-bookings";
import { validationError } from "@/server/domain/errors";
import { providerOfFact } from "@/server/domain/reconciliation-exceptions";
import type { CallContext } from "@/server/domain/scope";
import { answeringAct, checkedResolution, orResolved, requireException } from "../exceptions/decide";

/**
 * Resolves an exception of nobody about a line of a settlement file, as the operator. `resolution` has 1 to 496 characters. No import
 * books the line any more. Throws not_found, and validation_failed for any other exception and for one that is resolved.
 */
export async function resolveBookedLine(
  context: CallContext,
  id: string,
  resolution: string,
): Promise<StoredException> {
  const text = checkedResolution(`Booked by hand: ${checkedResolution(resolution)}`);
  const act = await answeringAct(context);
  const exception = await requireException(context.scope, id);
  const provider = providerOfFact(exception.fact);
  if (exception.merchantId !== null || provider === null)
    throw validationError("booked", "requires an exception of no merchant about a line of a settlement file");
  return orResolved(await resolveAsBooked(exception, provider, text, act));
}
