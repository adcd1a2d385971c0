// Builds the actor of a command: the operator, or the operator in the name of a member.
import { validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { operatorAs, requireMemberByAddress } from "@/server/services/members/by-address";
import { namedOperator, OPERATOR, operatorContext } from "@/server/services/merchants/operator";

/**
 * The operator's own act, or with a name, the act of the operator with that name. Throws validation_failed for an
 * invalid name.
 */
export function asOperator({ merchantId, environment }: Scope, name: string | null = null): CallContext {
  return operatorContext(merchantId, environment, name === null ? OPERATOR : namedOperator(name));
}

/**
 * The operator's act in the name of the merchant's member with that address. The member's roles count, and the records
 * name the operator. Throws not_found if no member has the address.
 */
export async function asMember({ merchantId, environment }: Scope, email: string): Promise<CallContext> {
  return operatorContext(merchantId, environment, operatorAs(await requireMemberByAddress(merchantId, email)));
}

/** The act of the person named by `--as` or `--operator`. Throws validation_failed unless exactly one is given. */
export async function asPerson(
  scope: Scope,
  { as, operator }: { readonly as: string | null; readonly operator: string | null },
): Promise<CallContext> {
  if (as !== null && operator === null) return asMember(scope, as);
  if (as === null && operator !== null) return asOperator(scope, operator);
  throw validationError("as", "or operator must name who acts: a member's address or an operator's name, not both");
}
