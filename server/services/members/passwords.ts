// Passwords that members choose.

import { hash } from "@node-rs/argon2";
import { actOf } from "@/server/db/audit/record";
import { changeMember, type MemberWorld } from "@/server/db/member-changes";
import { findAccess } from "@/server/db/member-credentials";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { merchantSettings } from "../merchants/settings";
import { isPasswordOf } from "../sign-in/sign-in";
import { actingMember } from "./acting-member";
import { type PasswordOwner, requireGoodPassword } from "./password-rules";

const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password that a person chose. Throws validation_failed for one that may not be chosen. */
export async function hashPassword(password: string, owner: PasswordOwner): Promise<string> {
  requireGoodPassword(password, owner);
  return hash(password, ARGON2);
}

/**
 * Changes the calling member's password and ends their other sessions. Throws validation_failed if the current password
 * is wrong, or the new one is the same or may not be chosen.
 */
export async function changeOwnPassword(
  context: CallContext,
  { current, next, keepSession }: { readonly current: string; readonly next: string; readonly keepSession: string },
): Promise<void> {
  const { merchantId } = context.scope;
  const wrong = () => validationError("password", "is not your current password");
  const before = await findAccess(merchantId, context.actor.id);
  if (!(await isPasswordOf(context, current))) throw wrong();
  if (next === current) throw validationError("password", "must differ from your current password");
  const passwordHash = await hashPassword(next, await ownerOf(context));
  const patch = { action: "member.change_password", data: { passwordHash }, before: null, after: {} };
  const decide = ({ target }: MemberWorld) => {
    // A reset since then has ended that password, and this session.
    if (target.disabledAt !== null || target.accessVersion !== before) throw wrong();
    return { ...patch, endsSessions: true, keepSession };
  };
  await changeMember(merchantId, context.actor.id, decide, actOf(context));
}

async function ownerOf(context: CallContext): Promise<PasswordOwner> {
  const [member, { name: merchantName }] = await Promise.all([
    actingMember(context),
    merchantSettings(context.scope.merchantId),
  ]);
  if (!member) throw notFoundError();
  return { email: member.email, merchantName };
}
