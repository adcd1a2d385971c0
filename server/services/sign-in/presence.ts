// The proof of a member without a second factor: the password, or a fresh sign-in at the OpenID provider.
import { hasPassword } from "@/server/db/member-credentials";
import { FreshSignInRequired, PasswordRequired } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { canSignInAfresh, spendFreshSignIn } from "./fresh-sign-in";
import { isPasswordOf } from "./sign-in";

export interface PresenceProof {
  readonly password?: string | undefined;
  /** The id of a fresh sign-in. */
  readonly freshSignIn?: string | undefined;
}

/**
 * Passes with the member's password or a fresh sign-in, which is used up. Throws FreshSignInRequired for a member with
 * single sign-on, and PasswordRequired for others.
 */
export async function requirePresence(
  context: CallContext,
  { password = "", freshSignIn = "" }: PresenceProof,
): Promise<void> {
  if (freshSignIn !== "" && (await spendFreshSignIn(context, freshSignIn))) return;
  if (password !== "" && (await isPasswordOf(context, password))) return;
  const wrongPassword = password === "" ? null : "The password is wrong, or there were too many attempts.";
  if (await canSignInAfresh(context)) {
    const again = `Sign in again with ${env().openId?.name ?? "your provider"} to confirm this.`;
    const orPassword = await hasPassword(context.scope.merchantId, context.actor.id);
    throw new FreshSignInRequired(wrongPassword ?? again, orPassword);
  }
  throw new PasswordRequired(wrongPassword ?? "Enter your password to confirm this.");
}

/** How a member who has no second factor signs in. */
interface WaysToSignIn {
  readonly hasPassword: boolean;
  /** Name of the OpenID provider that knows the member; null without one. */
  readonly provider: string | null;
}

/** Returns how the calling member can sign in, besides passkeys. */
export async function waysToSignIn(context: CallContext): Promise<WaysToSignIn> {
  const [own, isKnown] = await Promise.all([
    hasPassword(context.scope.merchantId, context.actor.id),
    canSignInAfresh(context),
  ]);
  return { hasPassword: own, provider: isKnown ? (env().openId?.name ?? null) : null };
}
