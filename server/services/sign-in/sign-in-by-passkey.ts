// Signing in with a passkey, which proves possession and the person in one step.
import { findPasskeyAcrossMerchants, type OwnedPasskey } from "@/server/db/passkeys";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { type Assertion, passkeyThrottle, verifyAssertion } from "./passkeys";
import { recordRefusedAttempt, SIGN_IN_ACTOR } from "./refused-attempts";

interface PasskeySignIn {
  readonly assertion: Assertion;
  /** What the browser received when it began to sign in; null without it. */
  readonly binding: string | null;
  /** The client's IP address; empty if unknown. */
  readonly address: string;
}

/** Whose passkey it is. */
export type PasskeyOwner = Pick<OwnedPasskey, "merchantId" | "email"> & { readonly id: string };

/**
 * Returns the member whose passkey signed the challenge that this browser received. Returns null for anything else, for a
 * disabled member, and after too many refusals of this address or member.
 */
export async function signInByPasskey({ assertion, binding, address }: PasskeySignIn): Promise<PasskeyOwner | null> {
  if (binding === null || !(await passkeyThrottle().beginFrom(address))) return null;
  const passkey = await findPasskeyAcrossMerchants(assertion.id);
  if (!passkey || passkey.disabledAt !== null) return null;
  const { merchantId, memberId, email } = passkey;
  const source = { kind: "address", address } as const;
  const attempt = await passkeyThrottle().begin(memberId, source);
  if (!attempt) return null;
  const call = { actor: SIGN_IN_ACTOR, requestId: null, address: address || null };
  const use = { purpose: "sign_in", binding } as const;
  return withinMerchant(merchantId, async () => {
    if (!(await verifyAssertion(passkey, assertion, use, call))) {
      log().warn({ memberId, address }, "a sign-in with a passkey was rejected");
      await recordRefusedAttempt({ merchantId, memberId }, "passkey", attempt, call);
      return null;
    }
    await passkeyThrottle().succeed(memberId, source);
    await passkeyThrottle().succeedFrom(address);
    log().info({ memberId, merchantId, address }, "a member signed in with a passkey");
    return { id: memberId, merchantId, email };
  });
}
