// Signing in: who an address and a password belong to, with one answer and one cost for every failure.

import { verify } from "@node-rs/argon2";
import { findCredentialsAcrossMerchants, findMemberById, type MemberCredentials } from "@/server/db/member-credentials";
import type { Member } from "@/server/db/members";
import { CodeRequired } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { log } from "@/server/platform/log";
import { merchantSettings } from "../merchants/settings";
import { createSignInThrottle, type SignInThrottle } from "./sign-in-throttle";
import { hasTotp, spendCode } from "./totp";

export interface SignedInMember {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly merchantId: string;
  readonly merchantName: string;
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The one-time code, where the form has asked for it. */
  readonly code?: string | undefined;
  /** Where the attempt comes from; empty when unknown. */
  readonly address: string;
}

/** No control characters: the database could not even compare them. */
const EMAIL = /^[^\s\p{Cc}]{1,320}$/u;
const LONGEST_PASSWORD = 1_024;

/** A hash of nobody's password, at the cost of a member's: an unknown address takes as long as a wrong password. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$UXmrNvxIMX+y9hADiLMJNg$T/46o0U5WRmPZy1UR9xb7soaHw9EsJKvsS3SxBNcPs0";

const shared = globalThis as typeof globalThis & { sluiceSignInThrottle?: SignInThrottle };

function throttle(): SignInThrottle {
  shared.sluiceSignInThrottle ??= createSignInThrottle("password");
  return shared.sluiceSignInThrottle;
}

/**
 * The member that the address and password belong to, the oldest where several merchants have them; null for a wrong
 * pair, a disabled member, and an account or address that failed too often, which costs no hashing. Throws CodeRequired
 * where the pair is right and the member's one-time code is missing or wrong.
 */
export async function signIn({ password, address, code, ...attempt }: SignInAttempt): Promise<SignedInMember | null> {
  const email = attempt.email.trim().toLowerCase();
  if (!EMAIL.test(email) || password.length > LONGEST_PASSWORD) return null;
  if (!(await throttle().begin(email, address))) {
    log().warn({ address }, "signing in was refused: too many failures");
    return null;
  }
  const candidates = await findCredentialsAcrossMerchants(email);
  const member = await firstWithPassword(candidates, password);
  if (!member) {
    log().warn({ address }, "signing in failed");
    return null;
  }
  await throttle().succeed(email, address);
  await requireCode(member, code, address);
  log().info({ memberId: member.id, merchantId: member.merchantId, address }, "a member signed in");
  return describe(member);
}

async function requireCode({ id, merchantId }: Member, code: string | undefined, address: string): Promise<void> {
  if (!(await hasTotp({ merchantId, memberId: id }))) return;
  const actor = { type: "member", id } as const;
  const context = { scope: { merchantId, environment: "test" }, actor, requestId: null, address } as const;
  if (code !== undefined && code !== "" && (await spendCode(context, code))) return;
  log().info({ memberId: id, address }, "signing in waits for a one-time code");
  throw new CodeRequired("Enter the code that your authenticator shows.");
}

/**
 * Whether it is the calling member's present password; throttled with signing in, so that an open session is no way to
 * guess it.
 */
export async function isPasswordOf({ scope, actor, address }: CallContext, password: string): Promise<boolean> {
  const member = await findMemberById(scope.merchantId, actor.id);
  if (!member || password.length > LONGEST_PASSWORD) return false;
  if (!(await throttle().begin(member.email, address ?? ""))) return false;
  const candidates = await findCredentialsAcrossMerchants(member.email);
  const own = candidates.filter(({ id }) => id === actor.id);
  const isRight = (await firstWithPassword(own, password)) !== null;
  if (isRight) await throttle().succeed(member.email, address ?? "");
  return isRight;
}

/** All are verified, side by side: the time taken tells neither how many there are nor which one fits. */
async function firstWithPassword(candidates: readonly MemberCredentials[], password: string) {
  const hashes = candidates.length > 0 ? candidates.map((candidate) => candidate.passwordHash) : [DUMMY_HASH];
  const verdicts = await Promise.all(hashes.map((passwordHash) => verify(passwordHash, password)));
  return candidates.find((candidate, index) => verdicts[index] === true && candidate.disabledAt === null) ?? null;
}

async function describe({ id, email, roles, merchantId }: Member): Promise<SignedInMember> {
  const { name } = await merchantSettings(merchantId);
  return { id, email, roles, merchantId, merchantName: name };
}
