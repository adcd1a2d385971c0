// The operator as an actor at the command line.
import { actOf } from "@/server/db/audit/record";
import { validationError } from "@/server/domain/errors";
import type { Actor, CallContext, Environment } from "@/server/domain/scope";

/** The actor for commands that need no operator name. */
export const OPERATOR: Actor = { type: "operator", id: "cli" };

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._@'’-]{1,63}$/u;

/**
 * The operator of that name, for acts that take two people. The name is stated, not proven. It is normalized (NFKC, lower
 * case, single spaces) so that two spellings of one name are not two people. Throws validation_failed.
 */
export function namedOperator(name: string): Actor {
  const id = name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
  if (!NAME.test(id) || id === OPERATOR.id) {
    throw validationError("operator", "must be the name of a person, 2 to 64 letters, digits, spaces or . _ @ ' -");
  }
  return { type: "operator", id };
}

/** Returns the name or address an operator stated. Returns null for other actors and for an operator without a name. */
export function statedName(actorType: string, actorId: string): string | null {
  return actorType === OPERATOR.type && actorId !== OPERATOR.id ? actorId : null;
}

/** The context of an operator's act for a merchant. */
export function operatorContext(merchantId: string, environment: Environment, actor = OPERATOR): CallContext {
  return { scope: { merchantId, environment }, actor, requestId: null, address: null };
}

/** The operator's act at the current time, for the audit log. */
export function operatorAct(actor = OPERATOR) {
  return actOf({ actor, requestId: null, address: null });
}
