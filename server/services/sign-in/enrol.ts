// Setting up one-time codes takes the password, so a stolen session cannot enrol its own authenticator.
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { isPasswordOf } from "./sign-in";
import { beginTotp } from "./totp";

/**
 * Creates a secret that awaits confirmation by its first code. Throws validation_failed for a wrong password, or if a
 * secret is already in use. `label` names the member in the authenticator.
 */
export async function enrolTotp(
  context: CallContext,
  { password, label }: { readonly password: string; readonly label: string },
): Promise<{ readonly secret: string; readonly uri: string }> {
  if (!(await isPasswordOf(context, password))) throw validationError("password", "is not your current password");
  return beginTotp({ merchantId: context.scope.merchantId, memberId: context.actor.id }, label);
}
