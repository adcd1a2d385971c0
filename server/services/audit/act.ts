// Owns turning a call into the act that the audit log is told of.
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";

/** Who acts, from where, and that it is now. */
export function actOf({ actor, requestId, address }: Omit<CallContext, "scope">) {
  return { actor, requestId, address, at: now() };
}
