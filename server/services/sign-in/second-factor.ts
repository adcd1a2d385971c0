// A member's second factor: a passkey or a one-time code. Each proof is used up.
import { CodeRequired, PasskeyRequired } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { type Assertion, hasPasskey, spendPasskey } from "./passkeys";
import type { PresenceProof } from "./presence";
import { hasTotp, spendCode } from "./totp";

/** A member's proof for one call: a passkey or a one-time code; the presence of a member with neither. */
export interface StepUpProof extends PresenceProof {
  readonly passkey?: Assertion | undefined;
  readonly code?: string | undefined;
}

/**
 * Uses up a passkey's signature or a code. Returns false for a member who has neither. Throws PasskeyRequired, or
 * CodeRequired for a member with codes only, without a valid proof.
 */
export async function proveBySecondFactor(
  context: CallContext,
  { passkey, code }: Pick<StepUpProof, "passkey" | "code">,
): Promise<boolean> {
  const member = { merchantId: context.scope.merchantId, memberId: context.actor.id };
  const [hasKey, hasCodes] = await Promise.all([hasPasskey(member), hasTotp(member)]);
  if (!hasKey && !hasCodes) return false;
  const isCodeGiven = hasCodes && code !== undefined && code !== "";
  if (hasKey && passkey) {
    if (await spendPasskey(context, passkey)) return true;
    throw new PasskeyRequired("The passkey was not accepted. Try again.", hasCodes);
  }
  if (isCodeGiven && (await spendCode(context, code))) return true;
  const wrongCode = isCodeGiven ? "The code is wrong or was already used; enter the next one." : null;
  if (hasKey) throw new PasskeyRequired(wrongCode ?? "Use your passkey to confirm this.", hasCodes);
  throw new CodeRequired(wrongCode ?? "Enter the code that your authenticator shows.");
}
