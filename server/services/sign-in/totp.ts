// One-time codes of members (RFC 6238): set up, confirmed by a first code, asked for, used once, taken away.

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
import { validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { hmacHex, keyedDigest, openText, sealText } from "@/server/platform/crypto";
import { randomText } from "@/server/platform/ids";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";

/** What every authenticator app takes: six digits, thirty seconds, SHA-1. */
const SHAPE = { issuer: "Sluice", algorithm: "SHA1", digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Clocks of telephones may be a step apart from ours, either way. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Of 62 characters: some 59 bits, behind a throttle. */
const RECOVERY_LENGTH = 10;

export interface TotpOwner {
  readonly merchantId: string;
  readonly memberId: string;
}

const shared = globalThis as typeof globalThis & { sluiceTotpThrottle?: SignInThrottle };

/** Its own: a right password must not give back attempts at codes. */
function throttle(): SignInThrottle {
  shared.sluiceTotpThrottle ??= createSignInThrottle("code");
  return shared.sluiceTotpThrottle;
}

function placeOf({ merchantId, memberId }: TotpOwner): string {
  return `member_totp|${merchantId}|${memberId}|secret`;
}

function totpOf(owner: TotpOwner, secretSealed: string): TOTP {
  return new TOTP({
    ...SHAPE,
    secret: Secret.fromBase32(openText(keyRing(), "totp-secret", placeOf(owner), secretSealed)),
  });
}

/** The time step whose code this is, within the window; null for no such code. */
function stepOf(totp: TOTP, code: string): bigint | null {
  const timestamp = now().getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1_000 / SHAPE.period) + delta);
}

/** Whether signing in and some acts ask this member for a code. */
export async function hasTotp(owner: TotpOwner): Promise<boolean> {
  return ((await findMemberTotp(owner))?.confirmedAt ?? null) !== null;
}

/** Makes a secret that waits for its first code. Throws validation_failed where one is in use. */
export async function beginTotp(
  owner: TotpOwner,
  label: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = sealText(keyRing(), "totp-secret", placeOf(owner), secret.base32);
  if (!(await putPendingTotp(owner, sealed, now())))
    throw validationError("totp", "is set up already; take it away first");
  return { secret: secret.base32, uri: new TOTP({ ...SHAPE, label, secret }).toString() };
}

/** Puts the waiting secret into use; gives the recovery codes, shown this once. Throws validation_failed for a wrong code. */
export async function confirmTotp(context: CallContext, code: string): Promise<{ readonly recoveryCodes: string[] }> {
  const owner = ownerOf(context);
  const pending = await findMemberTotp(owner);
  if (!pending || pending.confirmedAt !== null) throw validationError("totp", "is not being set up; begin again");
  const step = (await isWithinThrottle(owner, context.address))
    ? stepOf(totpOf(owner, pending.secretSealed), code)
    : null;
  if (step === null) throw validationError("code", "is not the one that your authenticator shows now");
  await throttle().succeed(owner.memberId, context.address ?? "");
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => randomText(RECOVERY_LENGTH));
  const recoveryHashes = recoveryCodes.map((recovery) => keyedDigest(keyRing(), "recovery-code", recovery));
  const confirmed = { secretSealed: pending.secretSealed, step, recoveryHashes };
  if (!(await storeConfirmed(owner, confirmed, actOf(context))))
    throw validationError("totp", "is not being set up; begin again");
  return { recoveryCodes };
}

function ownerOf({ scope, actor }: CallContext): TotpOwner {
  return { merchantId: scope.merchantId, memberId: actor.id };
}

function isWithinThrottle({ memberId }: TotpOwner, address: string | null): Promise<boolean> {
  return throttle().begin(memberId, address ?? "");
}

/**
 * Uses up a code of the member's authenticator, or a recovery code; false for a wrong one, one that was used, and after
 * too many failures.
 */
export async function spendCode(context: CallContext, code: string): Promise<boolean> {
  const owner = ownerOf(context);
  if (!(await isWithinThrottle(owner, context.address))) {
    log().warn({ memberId: owner.memberId }, "a one-time code was refused: too many failures");
    return false;
  }
  const isGood = await takeCode(context, owner, code.replaceAll(/\s/g, ""));
  if (isGood) await throttle().succeed(owner.memberId, context.address ?? "");
  return isGood;
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

/** Takes one-time codes away from the calling member, who gives one. Throws validation_failed for a wrong code. */
export async function endTotp(context: CallContext, code: string): Promise<void> {
  if (!(await spendCode(context, code))) throw validationError("code", "is wrong, or was used already");
  await removeTotp(ownerOf(context), actOf(context));
}

/** Takes them away from a member who has lost them; false where there was nothing. */
export function resetTotp(context: CallContext, memberId: string): Promise<boolean> {
  return removeTotp({ merchantId: context.scope.merchantId, memberId }, actOf(context));
}
