// Signing in. Every failure has the same answer and takes the same time.

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
  /** The one-time code, if the form asked for it. */
  readonly code?: string | undefined;
  /** The client's IP address; empty if unknown. */
  readonly address: string;
}

/** Excludes control characters, which the database cannot compare. */
const EMAIL = /^[^\s\p{Cc}]{1,320}$/u;
const LONGEST_PASSWORD = 1_024;

/** A hash of no one's password, with a member's cost: an unknown address takes as long as a wrong password. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$UXmrNvxIMX+y9hADiLMJNg$T/46o0U5WRmPZy1UR9xb7soaHw9EsJKvsS3SxBNcPs0";

const shared = globalThis as typeof globalThis & { sluiceSignInThrottle?: SignInThrottle };

function throttle(): SignInThrottle {
  shared.sluiceSignInThrottle ??= createSignInThrottle("password");
  return shared.sluiceSignInThrottle;
}

/**
 * Returns the member with this address and password, the oldest if several merchants have one. Returns null for a wrong
 * pair, a disabled member, and a throttled account or address, for which nothing is hashed. Throws CodeRequired if the
 * pair is right but the member's one-time code is missing or wrong.
 */
export async function signIn({ password, address, code, ...attempt }: SignInAttempt): Promise<SignedInMember | null> {
  const email = attempt.email.trim().toLowerCase();
  if (!EMAIL.test(email) || password.length > LONGEST_PASSWORD) return null;
  if (!(await throttle().begin(email, address))) {
    log().warn({ address }, "a sign-in was rejected: too many failed attempts");
    return null;
  }
  const candidates = await findCredentialsAcrossMerchants(email);
  const member = await firstWithPassword(candidates, password);
  if (!member) {
    log().warn({ address }, "a sign-in failed");
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
  log().info({ memberId: id, address }, "a sign-in requires a one-time code");
  throw new CodeRequired("Enter the code that your authenticator shows.");
}

/**
 * True if this is the calling member's current password. Shares the sign-in throttle, so that an open session cannot be
 * used to guess it.
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

/** Verifies all candidates in parallel, so that the time taken reveals neither their number nor which one matches. */
async function firstWithPassword(candidates: readonly MemberCredentials[], password: string) {
  const hashes =
    candidates.length > 0 ? candidates.map(({ passwordHash }) => passwordHash ?? DUMMY_HASH) : [DUMMY_HASH];
  const verdicts = await Promise.all(hashes.map((passwordHash) => verify(passwordHash, password)));
  const isRight = ({ passwordHash, disabledAt }: MemberCredentials, index: number) =>
    verdicts[index] === true && passwordHash !== null && disabledAt === null;
  return candidates.find(isRight) ?? null;
}

async function describe({ id, email, roles, merchantId }: Member): Promise<SignedInMember> {
  const { name } = await merchantSettings(merchantId);
  return { id, email, roles, merchantId, merchantName: name };
}
