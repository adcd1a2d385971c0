// Who acts when the person at the server's command line does.
import { actOf } from "@/server/db/audit/record";
import { validationError } from "@/server/domain/errors";
import type { Actor, CallContext, Environment } from "@/server/domain/scope";

/** What the person at the server's command line acts as where one operator is as good as another. */
export const OPERATOR: Actor = { type: "operator", id: "cli" };

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._@'’-]{1,63}$/u;

/**
 * The operator of that name, for acts that take two. The name is stated, not proven. It is stored in one spelling (NFKC,
 * lower case, single spaces), so that one person's name in other capitals is no second person. Throws validation_failed.
 */
export function namedOperator(name: string): Actor {
  const id = name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
  if (!NAME.test(id) || id === OPERATOR.id) {
    throw validationError("operator", "must be the name of a person, 2 to 64 letters, digits, spaces or . _ @ ' -");
  }
  return { type: "operator", id };
}

/** The name or address that an operator stated; null for another kind of actor, and for one that stated none. */
export function statedName(actorType: string, actorId: string): string | null {
  return actorType === OPERATOR.type && actorId !== OPERATOR.id ? actorId : null;
}

/** The context of an operator's act for a merchant. */
export function operatorContext(merchantId: string, environment: Environment, actor = OPERATOR): CallContext {
  return { scope: { merchantId, environment }, actor, requestId: null, address: null };
}

/** What the operator does now, as the audit log is told. */
export function operatorAct(actor = OPERATOR) {
  return actOf({ actor, requestId: null, address: null });
}
