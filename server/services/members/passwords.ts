// Passwords that members choose.

import { hash } from "@node-rs/argon2";
import { actOf } from "@/server/db/audit/record";
import { changeMember } from "@/server/db/member-changes";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { isPasswordOf } from "../sign-in/sign-in";

const MINIMUM_PASSWORD = 12;
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password that a person chose. Throws validation_failed if it is too short. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < MINIMUM_PASSWORD)
    throw validationError("password", `must have at least ${MINIMUM_PASSWORD} characters`);
  return hash(password, ARGON2);
}

/**
 * Changes the calling member's password and ends their other sessions. Throws validation_failed if the current password
 * is wrong or the new one is too short.
 */
export async function changeOwnPassword(
  context: CallContext,
  { current, next, keepSession }: { readonly current: string; readonly next: string; readonly keepSession: string },
): Promise<void> {
  if (!(await isPasswordOf(context, current))) throw validationError("password", "is not your current password");
  const passwordHash = await hashPassword(next);
  const patch = { action: "member.change_password", data: { passwordHash }, before: null, after: {} };
  const decide = () => ({ ...patch, endsSessions: true, keepSession });
  await changeMember(context.scope.merchantId, context.actor.id, decide, actOf(context));
}
