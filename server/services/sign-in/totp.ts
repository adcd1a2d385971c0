// One-time codes of members (RFC 6238): setup, confirmation by a first code, single use, and removal.

import { Secret, TOTP } from "otpauth";
import { actOf } from "@/server/db/audit/record";
import {
  findMemberTotp,
  putPendingTotp,
  removeTotp,
  confirmTotp as storeConfirmed,
  takeRecoveryCode,
  takeStep,
} from "@/server/db/member-totp";
import { authorityGiven } from "@/server/domain/authority";
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { perCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { hmacHex, keyedDigest } from "@/server/platform/crypto";
import { randomText } from "@/server/platform/ids";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { merchantSettings } from "../merchants/settings";
import { recordRefusedAttempt } from "./refused-attempts";
import { type AttemptSource, createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";
import { openTotpSecret, sealTotpSecret, type TotpOwner } from "./totp-secret";

/** The parameters every authenticator app supports: six digits, 30 seconds, SHA-1. */
const SHAPE = { issuer: "Sluice", algorithm: "SHA1", digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A phone's clock may be one time step ahead or behind. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** From showing a new secret to its first code. */
const PENDING_MS = 10 * 60_000;
/** From an alphabet of 62 characters: about 59 bits, protected by the throttle. */
const RECOVERY_LENGTH = 10;

const IN_SESSION: AttemptSource = { kind: "session" };

const shared = globalThis as typeof globalThis & { sluiceTotpThrottles?: Map<string, SignInThrottle> };
shared.sluiceTotpThrottles ??= new Map();

/** Separate from the password throttle: a correct password must not reset the attempts at codes. */
const throttle = perCell(() => createSignInThrottle("code"), shared.sluiceTotpThrottles);

function totpOf(owner: TotpOwner, secretSealed: string): TOTP {
  return new TOTP({ ...SHAPE, secret: Secret.fromBase32(openTotpSecret(owner, secretSealed)) });
}

/** Returns the time step this code belongs to. Returns null if it is not valid within the window. */
function stepOf(totp: TOTP, code: string): bigint | null {
  const timestamp = now().getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1_000 / SHAPE.period) + delta);
}

/** True if the member has set up one-time codes. */
export async function hasTotp(owner: TotpOwner): Promise<boolean> {
  return ((await findMemberTotp(owner))?.confirmedAt ?? null) !== null;
}

/**
 * Creates a secret that awaits its first code, for ten minutes, from the session that begins it. Throws validation_failed if
 * one is already in use.
 */
export async function beginTotp(
  owner: TotpOwner,
  label: string,
  sessionId: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = new Secret({ size: SECRET_BYTES });
  const pending = { secretSealed: sealTotpSecret(owner, secret.base32), sessionId, at: now() };
  if (!(await putPendingTotp(owner, pending))) throw validationError("totp", "is already set up; remove it first");
  return { secret: secret.base32, uri: new TOTP({ ...SHAPE, label, secret }).toString() };
}

/**
 * Activates the secret that this session began and ends the member's other sessions. Returns the recovery codes, shown only
 * once. Throws validation_failed for a wrong code, and for a secret of another session or of more than ten minutes ago.
 */
export async function confirmTotp(
  context: CallContext,
  code: string,
  sessionId: string,
): Promise<{ readonly recoveryCodes: string[] }> {
  const owner = ownerOf(context);
  const pending = await findMemberTotp(owner);
  if (!pending || pending.confirmedAt !== null)
    throw validationError("totp", "is not being set up; start the setup again");
  const attempt = await throttle().begin(owner.memberId, IN_SESSION);
  const step = attempt && stepOf(totpOf(owner, pending.secretSealed), code);
  if (attempt && step === null) await recordRefusedAttempt(owner, "code", attempt, context);
  if (step === null) throw validationError("code", "is not the code that your authenticator shows now");
  await throttle().succeed(owner.memberId, IN_SESSION);
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => randomText(RECOVERY_LENGTH));
  const recoveryHashes = recoveryCodes.map((recovery) => keyedDigest(keyRing(), "recovery-code", recovery));
  const begunSince = new Date(now().getTime() - PENDING_MS);
  const confirmed = { secretSealed: pending.secretSealed, step, recoveryHashes, sessionId, begunSince };
  if (!(await storeConfirmed(owner, confirmed, actOf(context))))
    throw validationError("totp", "is not being set up; start the setup again");
  return { recoveryCodes };
}

function ownerOf({ scope, actor }: CallContext): TotpOwner {
  return { merchantId: scope.merchantId, memberId: actor.id };
}

/**
 * Uses up a code of the member's authenticator, or a recovery code. Returns false for a wrong or used code, and after too
 * many failures from the source, by default the open sessions of the member.
 */
export async function spendCode(
  context: CallContext,
  code: string,
  source: AttemptSource = IN_SESSION,
): Promise<boolean> {
  const owner = ownerOf(context);
  const isAddress = source.kind === "address";
  const mayTry = !isAddress || (await throttle().beginFrom(source.address));
  const attempt = mayTry ? await throttle().begin(owner.memberId, source) : null;
  if (!attempt) {
    log().warn({ memberId: owner.memberId }, "a one-time code was rejected: too many failed attempts");
    return false;
  }
  const isGood = await takeCode(context, owner, code.replaceAll(/\s/g, ""));
  if (!isGood) {
    await recordRefusedAttempt(owner, "code", attempt, context);
    return false;
  }
  await throttle().succeed(owner.memberId, source);
  if (isAddress) await throttle().succeedFrom(source.address);
  return true;
}

async function takeCode(context: CallContext, owner: TotpOwner, code: string): Promise<boolean> {
  const totp = await findMemberTotp(owner);
  if (!totp || totp.confirmedAt === null) return false;
  if (code.length === RECOVERY_LENGTH) {
    const digests = keyRing()
      .all("recovery-code")
      .map(({ id, key }) => `${id}.${hmacHex(key, code)}`);
    return takeRecoveryCode(owner, digests, actOf(context));
  }
  const step = stepOf(totpOf(owner, totp.secretSealed), code);
  return step !== null && takeStep(owner, step);
}

/** Removes one-time codes of the calling member, who must give a valid one. Throws validation_failed for a wrong code. */
export async function endTotp(context: CallContext, code: string): Promise<void> {
  if (!(await spendCode(context, code))) throw validationError("code", "is wrong or was already used");
  await removeTotp(ownerOf(context), { authority: null, keepSession: context.sessionId ?? "" }, actOf(context));
}

/**
 * Removes them for a member who has lost their device, whose authority then counts anew. Returns false if the member had
 * none.
 */
export async function resetTotp(context: CallContext, memberId: string): Promise<boolean> {
  const { merchantId } = context.scope;
  const act = actOf(context);
  const { authorityCoolDownSeconds } = await merchantSettings(merchantId);
  const authority = authorityGiven(act.at, act.actor, authorityCoolDownSeconds);
  return removeTotp({ merchantId, memberId }, { authority, keepSession: "" }, act);
}
