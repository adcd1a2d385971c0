// Signing in. Every failure has the same answer and takes the same time.

import { verify } from "@node-rs/argon2";
import {
  findCredentials,
  findCredentialsAcrossMerchants,
  type MemberCredentials,
} from "@/server/db/member-credentials";
import type { Member } from "@/server/db/members";
import { CodeRequired } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, currentCell, inCell, inSharedCell, perCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { merchantSettings } from "../merchants/settings";
import { temporarilyUnavailable } from "../outage";
import { type Device, isDeviceOf } from "./known-device";
import { findInCells } from "./person-cells";
import { recordRefusedAttempt, SIGN_IN_ACTOR } from "./refused-attempts";
import {
  type Attempt,
  type AttemptSource,
  createSignInThrottle,
  createStrangerThrottle,
  signInDigest,
} from "./sign-in-throttle";
import { hasTotp, spendCode } from "./totp";

/** A member, as of a session. */
export interface SignedInMember {
  readonly id: string;
  readonly email: string;
  /** What people call the member; null without a name. */
  readonly name: string | null;
  readonly roles: readonly string[];
  readonly testRoles: readonly string[] | null;
  readonly merchantId: string;
  readonly merchantName: string;
}

/** A member who has proved who they are. */
export interface ProvenMember extends Pick<SignedInMember, "id" | "merchantId"> {
  /** Where the member is known. */
  readonly cell: Cell;
  /** As it was before the proof was checked. */
  readonly accessVersion: number;
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The one-time code, if the form asked for it. */
  readonly code?: string | undefined;
  /** The client's IP address; empty if unknown. */
  readonly address: string;
  /** From the browser's device cookie, if it has one. */
  readonly device?: Device | null;
  /** The only merchant whose member may sign in; any if omitted. */
  readonly merchantId?: string;
}

/** Excludes control characters, which the database cannot compare. */
const EMAIL = /^[^\s\p{Cc}]{1,320}$/u;
const LONGEST_PASSWORD = 1_024;

/** A hash of no one's password, with a member's cost: an unknown address takes as long as a wrong password. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$UXmrNvxIMX+y9hADiLMJNg$T/46o0U5WRmPZy1UR9xb7soaHw9EsJKvsS3SxBNcPs0";

type Throttles = ReturnType<typeof createThrottles>;
const shared = globalThis as typeof globalThis & { sluiceSignInThrottles?: Map<string, Throttles> };
shared.sluiceSignInThrottles ??= new Map();

function createThrottles() {
  return { members: createSignInThrottle("password"), strangers: createStrangerThrottle() };
}

const throttles = perCell(createThrottles, shared.sluiceSignInThrottles);

type FoundMember = MemberCredentials & { readonly cell: Cell };

/** A member with the given email address, and this attempt at their password. */
interface Candidate {
  readonly member: FoundMember;
  readonly source: AttemptSource;
  readonly attempt: Attempt;
}

/**
 * Returns the member with this address and password, of the first cell that has one, the oldest if several of its merchants
 * do. Returns null for a wrong pair, a disabled member, and a paused member or source, for which nothing is hashed. Throws
 * CodeRequired if the pair is right but the member's one-time code is missing or wrong. Throws service_unavailable instead of
 * returning null for a wrong pair while a cell is away: the pair may be right there.
 */
export async function signIn(given: SignInAttempt): Promise<(SignedInMember & ProvenMember) | null> {
  const { password, address, code } = given;
  const email = given.email.trim().toLowerCase();
  if (!EMAIL.test(email) || password.length > LONGEST_PASSWORD) return null;
  const begun = await begin(email, given);
  const { candidates } = begun;
  if (!candidates) {
    log().warn({ account: signInDigest(email), address }, "a sign-in was rejected: too many failed attempts");
    return null;
  }
  const right = await firstWithPassword(candidates, password);
  if (!right) log().warn({ account: signInDigest(email), address }, "a sign-in failed");
  await recordRefusals(candidates, right, address);
  if (!right && begun.isPartial) throw temporarilyUnavailable();
  if (!right) return null;
  const { member, source } = right;
  return inCell(member.cell, async () => {
    await throttles().members.succeed(member.id, source);
    if (begun.isAddressCounted) await throttles().members.succeedFrom(address);
    return withinMerchant(member.merchantId, async () => {
      await requireCode(member, code, source, address);
      log().info({ memberId: member.id, merchantId: member.merchantId, address }, "a member signed in");
      return describe(member);
    });
  });
}

interface Begun {
  /** Null if none may go on. */
  readonly candidates: readonly Candidate[] | null;
  /** False for a known device, which skips the count of its address. */
  readonly isAddressCounted: boolean;
  /** True if a cell did not answer. */
  readonly isPartial: boolean;
}

/** The throttles of what is no member's: strangers, and network addresses. One for all cells. */
const sharedThrottles = () => inSharedCell(throttles);

/** Counts the attempt for the source and for each member with the email address. */
async function begin(email: string, { address, device = null, merchantId }: SignInAttempt): Promise<Begun> {
  const { members, strangers } = sharedThrottles();
  const refused = { candidates: null, isAddressCounted: true, isPartial: false };
  // Only a device skips the count of its address, which strangers may have used up.
  if (device === null && !(await members.beginFrom(address))) return refused;
  const find = () => findCredentialsAcrossMerchants(email);
  const { found: everywhere, isPartial } = await findInCells([email], find, device?.memberId ?? null);
  const found = merchantId === undefined ? everywhere : everywhere.filter((one) => one.merchantId === merchantId);
  const isAddressCounted = !found.some((member) => isDeviceOf(device, member));
  if (device !== null && isAddressCounted && !(await members.beginFrom(address))) return refused;
  if (found.length === 0) {
    const mayGoOn = await strangers.begin(email, { kind: "address", address });
    return { candidates: mayGoOn ? [] : null, isAddressCounted, isPartial };
  }
  const begun = await Promise.all(
    found.map(async (member): Promise<Candidate | null> => {
      const source: AttemptSource =
        device && isDeviceOf(device, member) ? { kind: "device", id: device.id } : { kind: "address", address };
      const attempt = await inCell(member.cell, () => throttles().members.begin(member.id, source));
      return attempt && { member, source, attempt };
    }),
  );
  const candidates = begun.filter((candidate) => candidate !== null);
  return { candidates: candidates.length === 0 ? null : candidates, isAddressCounted, isPartial };
}

/** Where the password was right for one merchant, the failures at others count, and only a pause is recorded. */
async function recordRefusals(candidates: readonly Candidate[], right: Candidate | null, address: string) {
  const refused = candidates.filter((one) => one !== right && (right === null || one.attempt.pauses !== null));
  for (const { member, attempt } of refused) {
    const { cell, merchantId, id: memberId } = member;
    const call = { actor: SIGN_IN_ACTOR, requestId: null, address: address || null };
    await inCell(cell, () => recordRefusedAttempt({ merchantId, memberId }, "sign_in", attempt, call));
  }
}

async function requireCode(
  { id, merchantId }: Member,
  code: string | undefined,
  source: AttemptSource,
  address: string,
) {
  if (!(await hasTotp({ merchantId, memberId: id }))) return;
  const actor = { type: "member", id } as const;
  const context = { scope: { merchantId, environment: "test" }, actor, requestId: null, address } as const;
  if (code !== undefined && code !== "" && (await spendCode(context, code, source))) return;
  log().info({ memberId: id, address }, "a sign-in requires a one-time code");
  throw new CodeRequired("Enter the code that your authenticator shows.");
}

/**
 * True if this is the calling member's current password. An open session has ten attempts at it in 30 minutes, which only
 * holders of a session can use up.
 */
export async function isPasswordOf(context: CallContext, password: string): Promise<boolean> {
  const { scope, actor } = context;
  const member = await findCredentials(scope.merchantId, actor.id);
  if (!member || password.length > LONGEST_PASSWORD) return false;
  const source = { kind: "session" } as const;
  const attempt = await throttles().members.begin(member.id, source);
  if (!attempt) return false;
  const candidate = { member: { ...member, cell: currentCell() }, source, attempt };
  const isRight = (await firstWithPassword([candidate], password)) !== null;
  if (isRight) await throttles().members.succeed(member.id, source);
  else await recordRefusedAttempt({ merchantId: scope.merchantId, memberId: member.id }, "password", attempt, context);
  return isRight;
}

/** Verifies all candidates in parallel, so that the time taken reveals neither their number nor which one matches. */
async function firstWithPassword(candidates: readonly Candidate[], password: string): Promise<Candidate | null> {
  const hashes =
    candidates.length > 0 ? candidates.map(({ member }) => member.passwordHash ?? DUMMY_HASH) : [DUMMY_HASH];
  const verdicts = await Promise.all(hashes.map((passwordHash) => verify(passwordHash, password)));
  const isRight = ({ member: { passwordHash, disabledAt } }: Candidate, index: number) =>
    verdicts[index] === true && passwordHash !== null && disabledAt === null;
  return candidates.find(isRight) ?? null;
}

async function describe({ id, email, name, roles, testRoles, merchantId, accessVersion, cell }: FoundMember) {
  const { name: merchantName } = await merchantSettings(merchantId);
  return { id, email, name, roles, testRoles, merchantId, merchantName, accessVersion, cell };
}
