// Owns acting on manual resolutions as a person who is named at the command line: a member by address, or an operator.

import type { StoredResolution } from "@/server/db/manual-resolutions";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { findAnyIntent } from "../intent-kinds";
import { operatorAs, requireMemberByAddress } from "../members/by-address";
import { namedOperator, operatorContext } from "../merchants/operator";
import { confirmResolution, requireResolution } from "./confirm";
import type { GivenFinding } from "./finding";
import { proposeResolution } from "./propose";
import { rejectResolution } from "./reject";

/** Exactly one is given: the address of a member of the merchant, or the name of an operator. */
export interface Person {
  readonly email: string | null;
  readonly operator: string | null;
}

/** Proposes as the person (`proposeResolution`); throws not_found too, for an address that is no member's. */
export async function proposeResolutionAs(
  merchantId: string,
  intentId: string,
  person: Person,
  finding: GivenFinding,
): Promise<StoredResolution> {
  const subject = await findAnyIntent(merchantId, intentId);
  if (!subject) throw notFoundError();
  const { environment } = subject.intent;
  return proposeResolution(await contextOf({ merchantId, environment }, person), intentId, finding);
}

/** Confirms as the operator of that name (`confirmResolution`). */
export function confirmResolutionAs(id: string, operator: string): Promise<StoredResolution> {
  return confirmResolution(id, namedOperator(operator));
}

/** Rejects as the person (`rejectResolution`). */
export async function rejectResolutionAs(id: string, person: Person): Promise<StoredResolution> {
  return rejectResolution(await contextOf(await requireResolution(id), person), id);
}

async function contextOf({ merchantId, environment }: Scope, { email, operator }: Person): Promise<CallContext> {
  if ((email === null) === (operator === null)) {
    throw validationError("as", "or operator must say who acts: a member's address or an operator's name, not both");
  }
  if (operator !== null) return operatorContext(merchantId, environment, namedOperator(operator));
  return operatorContext(merchantId, environment, operatorAs(await requireMemberByAddress(merchantId, email ?? "")));
}
