// Owns who acts when the person at the server's command line does.
import type { Actor, CallContext, Environment } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";

/** What the person at the server's command line acts as. */
export const OPERATOR: Actor = { type: "operator", id: "cli" };

/** The context of an operator's act for a merchant. */
export function operatorContext(merchantId: string, environment: Environment): CallContext {
  return { scope: { merchantId, environment }, actor: OPERATOR, requestId: null, address: null };
}

/** What the operator does now, as the audit log is told. */
export function operatorAct() {
  return { actor: OPERATOR, requestId: null, address: null, at: now() };
}
