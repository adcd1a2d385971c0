// Owns deciding on exceptions as a member who is named by address, at the command line.
import { findExceptionAcrossMerchants, type StoredException } from "@/server/db/exceptions";
import { ServiceError, validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import type { Settlement } from "@/server/domain/suspense";
import { isId } from "@/server/platform/ids";
import { operatorAs, requireMemberByAddress } from "../members/by-address";
import { operatorContext } from "../merchants/operator";
import { resolveException, takeException } from "./decide";
import { settleException } from "./settle";

/** Who acts: the address of a member of the exception's merchant; null only where it is no merchant's. */
export interface Acting {
  readonly exceptionId: string;
  readonly email: string | null;
}

/** Takes it on as the member (`takeException`); throws not_found too, for an address that is no member's. */
export async function takeExceptionAs(acting: Acting): Promise<StoredException> {
  return takeException(await contextOf(acting), acting.exceptionId);
}

/** Resolves it as the member, or as the operator where it is no merchant's (`resolveException`). */
export async function resolveExceptionAs(acting: Acting, resolution: string): Promise<StoredException> {
  return resolveException(await contextOf(acting), acting.exceptionId, resolution);
}

/** Settles its money as the member (`settleException`). */
export async function settleExceptionAs(acting: Acting, as: Settlement, resolution: string): Promise<StoredException> {
  return settleException(await contextOf(acting), acting.exceptionId, as, resolution);
}

/** What is no merchant's has no member who could answer for it: the operator does. */
async function contextOf({ exceptionId, email }: Acting): Promise<CallContext> {
  const exception = isId("exception", exceptionId) ? await findExceptionAcrossMerchants(exceptionId) : null;
  if (!exception) throw new ServiceError("not_found", "There is no such exception.");
  const { merchantId, environment } = exception;
  if (merchantId === null) {
    if (email !== null) throw validationError("as", "must be left out: the exception is no merchant's");
    return operatorContext(NOBODY, environment);
  }
  if (email === null) throw validationError("as", "must name a member of the exception's merchant");
  return operatorContext(merchantId, environment, operatorAs(await requireMemberByAddress(merchantId, email)));
}
