// Confirming, listing and removing passkeys.

import { type RegistrationResponseJSON, verifyRegistrationResponse } from "@simplewebauthn/server";
import { actOf } from "@/server/db/audit/record";
import { deletePasskey, deletePasskeys, insertPasskey } from "@/server/db/passkeys";
import { authorityGiven } from "@/server/domain/authority";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { isId, newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { checkedText } from "../checked-text";
import { merchantSettings } from "../merchants/settings";
import { relyingParty, spendChallenge } from "./passkeys";
import { proveBySecondFactor, type StepUpProof } from "./second-factor";

const LONGEST_NAME = 64;

export { listPasskeys } from "@/server/db/passkeys";

interface CreatedPasskey {
  readonly name: string;
  readonly registration: RegistrationResponseJSON;
  /** How the authenticator is reached, such as `usb`. */
  readonly transports: readonly string[];
}

/**
 * Stores a new passkey and ends the member's sessions except `sessionId`, which must have begun the enrolment. Throws
 * validation_failed unless an authenticator that verified the person signed the session's challenge for our origin.
 */
export async function confirmPasskey(
  context: CallContext,
  sessionId: string,
  { name, registration, transports }: CreatedPasskey,
): Promise<void> {
  const refused = () => validationError("passkey", "was not accepted; start the setup again");
  const use = { purpose: "enrol", binding: sessionId } as const;
  const challenge = await spendChallenge(registration.response.clientDataJSON, use);
  const credential = challenge === null ? null : await verifiedCredential(registration, challenge);
  if (!credential) throw refused();
  const passkey = {
    merchantId: context.scope.merchantId,
    memberId: context.actor.id,
    id: newId("passkey"),
    name: checkedText("name", name, LONGEST_NAME),
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
  };
  if (!(await insertPasskey(passkey, sessionId, actOf(context)))) throw refused();
}

async function verifiedCredential(response: RegistrationResponseJSON, expectedChallenge: string) {
  const { origin, id } = relyingParty();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    return registrationInfo?.credential ?? null;
  } catch (error) {
    log().info({ err: error }, "a new passkey was rejected");
    return null;
  }
}

/**
 * Removes one of the calling member's passkeys and ends their other sessions. Throws not_found, and PasskeyRequired without a proof by a passkey or a
 * code.
 */
export async function removePasskey(
  context: CallContext,
  id: string,
  proof: Pick<StepUpProof, "passkey" | "code">,
): Promise<void> {
  if (!isId("passkey", id)) throw notFoundError();
  await proveBySecondFactor(context, proof);
  const member = { merchantId: context.scope.merchantId, memberId: context.actor.id };
  if (!(await deletePasskey(member, id, context.sessionId ?? "", actOf(context)))) throw notFoundError();
}

/** Removes all passkeys of a member who has lost them, whose authority then counts anew; returns how many there were. */
export async function resetPasskeys(context: CallContext, memberId: string): Promise<number> {
  const { merchantId } = context.scope;
  const act = actOf(context);
  const { authorityCoolDownSeconds } = await merchantSettings(merchantId);
  return deletePasskeys({ merchantId, memberId }, authorityGiven(act.at, act.actor, authorityCoolDownSeconds), act);
}
