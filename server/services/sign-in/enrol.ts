// Enrolling a second factor takes the password, or a fresh sign-in, and the present second factor: a stolen session or
// password cannot add one.
import { generateRegistrationOptions, type PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { listPasskeys } from "@/server/db/passkeys";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { CHALLENGE_MS, issueChallenge, relyingParty } from "./passkeys";
import { type PresenceProof, requirePresence } from "./presence";
import { proveBySecondFactor, type StepUpProof } from "./second-factor";
import { isPasswordOf } from "./sign-in";
import { beginTotp } from "./totp";

const MAXIMUM_PASSKEYS = 10;

interface Enrolment extends PresenceProof {
  /** Of the second factor that the member has, if any. */
  readonly proof: Pick<StepUpProof, "passkey" | "code">;
  /** Names the member in the authenticator. */
  readonly label: string;
}

/**
 * Throws validation_failed for a wrong password, FreshSignInRequired or PasswordRequired with neither, and PasskeyRequired
 * or CodeRequired without a proof of the second factor that the member has. What is asked for first uses nothing up.
 */
async function requireEnrolmentProof(context: CallContext, { proof, ...presence }: Enrolment): Promise<void> {
  const { password = "", freshSignIn = "" } = presence;
  if (password === "" && freshSignIn === "") await requirePresence(context, presence);
  if (password !== "" && !(await isPasswordOf(context, password)))
    throw validationError("password", "is not your current password");
  await proveBySecondFactor(context, proof);
  if (password === "") await requirePresence(context, presence);
}

/**
 * Creates a secret that awaits its first code from this session. Throws as `requireEnrolmentProof` does, and
 * validation_failed if a secret is already in use.
 */
export async function enrolTotp(
  context: CallContext,
  sessionId: string,
  enrolment: Enrolment,
): Promise<{ readonly secret: string; readonly uri: string }> {
  await requireEnrolmentProof(context, enrolment);
  return beginTotp({ merchantId: context.scope.merchantId, memberId: context.actor.id }, enrolment.label, sessionId);
}

/**
 * Returns the options for the browser to create a passkey, with a challenge for the calling session. Throws as
 * `requireEnrolmentProof` does, and validation_failed for an eleventh passkey.
 */
export async function enrolPasskey(
  context: CallContext,
  sessionId: string,
  enrolment: Enrolment,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await requireEnrolmentProof(context, enrolment);
  const { merchantId } = context.scope;
  const memberId = context.actor.id;
  const present = await listPasskeys({ merchantId, memberId });
  if (present.length >= MAXIMUM_PASSKEYS) throw validationError("passkeys", "are at most ten; remove one first");
  const options = await generateRegistrationOptions({
    rpName: "Sluice",
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(memberId),
    userName: enrolment.label,
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: present.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await issueChallenge(options.challenge, { purpose: "enrol", binding: sessionId });
  return options;
}
