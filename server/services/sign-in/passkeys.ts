// Passkeys (WebAuthn): challenges, and the verification of what an authenticator signs.

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { actOf, recordEvent } from "@/server/db/audit/record";
import { type ChallengePurpose, insertChallenge, takeChallenge } from "@/server/db/passkey-challenges";
import { advanceCounter, listPasskeys, type Passkey } from "@/server/db/passkeys";
import type { CallContext } from "@/server/domain/scope";
import { inSharedCell, perCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { sha256Hex } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { recordRefusedAttempt } from "./refused-attempts";
import { type AttemptSource, createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";

/** A challenge can be signed for this long, in ms. */
export const CHALLENGE_MS = 5 * 60_000;

/** What a passkey signs, as the browser returns it. */
export type Assertion = AuthenticationResponseJSON;

/** Where a challenge may be used. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** The id of a session, or a secret of the browser that begins a sign-in. */
  readonly binding: string;
}

const IN_SESSION: AttemptSource = { kind: "session" };

const shared = globalThis as typeof globalThis & { sluicePasskeyThrottles?: Map<string, SignInThrottle> };
shared.sluicePasskeyThrottles ??= new Map();

/** Counts refused passkeys, separately from passwords and codes. */
export const passkeyThrottle = perCell(() => createSignInThrottle("passkey"), shared.sluicePasskeyThrottles);

/** The site that passkeys belong to: the host of BASE_URL, and pages of its origin only. */
export function relyingParty(): { readonly origin: string; readonly id: string } {
  const { origin, hostname } = new URL(env().baseUrl);
  return { origin, id: hostname };
}

/** Nobody is known yet when a sign-in begins, so its challenge is in the first cell. Others are in the session's cell. */
function whereItIsKept<Result>({ purpose }: ChallengeUse, work: () => Result): Result {
  return purpose === "sign_in" ? inSharedCell(work) : work();
}

/** Stores a challenge (base64url) for one use within five minutes. */
export async function issueChallenge(challenge: string, use: ChallengeUse): Promise<void> {
  const { purpose, binding } = use;
  const hashes = { challengeHash: sha256Hex(challenge), bindingHash: sha256Hex(binding) };
  await whereItIsKept(use, () => {
    const at = now();
    return insertChallenge({ ...hashes, purpose }, { at, expiresAt: new Date(at.getTime() + CHALLENGE_MS) });
  });
}

/**
 * Uses up the challenge in a browser's answer and returns it. Returns null if it is unknown, used, expired, or was issued
 * for another use.
 */
export async function spendChallenge(clientData: string, use: ChallengeUse): Promise<string | null> {
  const { purpose, binding } = use;
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const hashes = { challengeHash: sha256Hex(challenge), bindingHash: sha256Hex(binding) };
  return (await whereItIsKept(use, () => takeChallenge({ ...hashes, purpose }, now()))) ? challenge : null;
}

function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = decodeClientDataJSON(clientData);
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** Returns the options for a visitor to sign in with any passkey of this site. */
export async function beginPasskeySignIn(binding: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions([], { purpose: "sign_in", binding });
}

/** Returns the options for a member to prove one act of their session with a passkey. */
export async function beginPasskeyProof(
  member: { readonly merchantId: string; readonly memberId: string },
  sessionId: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions(await listPasskeys(member), { purpose: "step_up", binding: sessionId });
}

async function requestOptions(
  allowed: readonly { readonly credentialId: string; readonly transports: readonly string[] }[],
  use: ChallengeUse,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification: "required",
    timeout: CHALLENGE_MS,
    allowCredentials: allowed.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] })),
  });
  await issueChallenge(options.challenge, use);
  return options;
}

/** True if the member has a passkey. */
export async function hasPasskey(member: { readonly merchantId: string; readonly memberId: string }): Promise<boolean> {
  return (await listPasskeys(member)).length > 0;
}

/**
 * Proves one act of the calling member's session: uses up the challenge that was issued to the session. Returns false for
 * anything but a valid signature by one of the member's own passkeys, and after too many refused ones.
 */
export async function spendPasskey(context: CallContext, assertion: Assertion): Promise<boolean> {
  const { scope, actor, sessionId } = context;
  const member = { merchantId: scope.merchantId, memberId: actor.id };
  const attempt = await passkeyThrottle().begin(member.memberId, IN_SESSION);
  if (!attempt || sessionId === undefined) return false;
  // Not looked up in all merchants, which would not see the passkey of one that closes to move.
  const passkey = (await listPasskeys(member)).find(({ credentialId }) => credentialId === assertion.id);
  const use = { purpose: "step_up", binding: sessionId } as const;
  if (!passkey || !(await verifyAssertion(passkey, assertion, use, context))) {
    await recordRefusedAttempt(member, "passkey", attempt, context);
    return false;
  }
  await passkeyThrottle().succeed(member.memberId, IN_SESSION);
  return true;
}

/**
 * Returns true if the passkey signed an open challenge of this use for our origin, after it verified the person. Uses the
 * challenge up in any case. A counter that does not advance is refused and audited as an act of `call`.
 */
export async function verifyAssertion(
  passkey: Passkey,
  assertion: Assertion,
  use: ChallengeUse,
  call: Omit<CallContext, "scope">,
): Promise<boolean> {
  const expectedChallenge = await spendChallenge(assertion.response.clientDataJSON, use);
  if (expectedChallenge === null) return false;
  const counter = await signedCounter(passkey, assertion, expectedChallenge);
  if (counter === null) return false;
  const act = actOf(call);
  if (await advanceCounter(passkey, counter, act.at)) return true;
  const { merchantId, memberId, id } = passkey;
  log().warn({ memberId, passkeyId: id }, "a passkey was rejected: its counter did not advance");
  const after = { passkey_id: id, counter: passkey.counter, received: counter };
  const event = { merchantId, environment: null, action: "member.passkey_counter_refused", objectId: memberId };
  await recordEvent({ ...event, before: null, after }, act);
  return false;
}

/** The member that an authenticator stored with the passkey; null if it does not say. */
export function memberIn({ response: { userHandle } }: Assertion): string | null {
  return userHandle === undefined ? null : Buffer.from(userHandle, "base64url").toString();
}

/** Returns the counter in a valid assertion, or null. */
async function signedCounter(
  { memberId, credentialId, publicKey }: Passkey,
  assertion: Assertion,
  expectedChallenge: string,
): Promise<number | null> {
  const { origin, id } = relyingParty();
  const handle = memberIn(assertion);
  if (handle !== null && handle !== memberId) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // The database compares the counters, so that of two concurrent uses only one passes.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    log().info({ memberId, err: error }, "a passkey was rejected");
    return null;
  }
}
