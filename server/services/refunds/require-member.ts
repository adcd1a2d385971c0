import { Forbidden } from "@/server/domain/errors";
import { type CallContext, recordedActor } from "@/server/domain/scope";

/**
 * Throws Forbidden for a caller who is no signed-in member. An operator who acts as a member could otherwise propose as one person
 * and confirm as another.
 */
export function requireMember({ actor }: CallContext): void {
  if (recordedActor(actor).type !== "member") throw new Forbidden("Only a signed-in member decides on refunds.");
}
