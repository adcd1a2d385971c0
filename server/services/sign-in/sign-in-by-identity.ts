// Signing in with what the operator's OpenID provider says about a person.

import { actOf, recordEvent } from "@/server/db/audit/record";
import {
  deleteIdentities,
  findIdentifiedAcrossMerchants,
  type IdentifiedMember,
  type Identity,
  insertIdentity,
} from "@/server/db/identities";
import { authorityGiven } from "@/server/domain/authority";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { merchantSettings } from "../merchants/settings";
import { findInCells, notePerson } from "./person-cells";
import { SIGN_IN_ACTOR } from "./refused-attempts";

/** What a provider states about a person who has signed in there, checked against its signature. */
export interface ProvenIdentity extends Identity {
  /** The person's address in lower case; null unless the provider has verified it. */
  readonly email: string | null;
  /** When the person proved to the provider who they are; null if it does not say. */
  readonly authenticatedAt: Date | null;
  readonly hasTwoFactors: boolean;
}

/**
 * Why nobody was signed in. SeveralMerchants: the person must choose one first. PasswordRequired: the member has a password,
 * which must connect them. Unavailable: a cell does not answer, and no other knows the person.
 */
export type IdentityRefusal =
  | "NotAMember"
  | "SecondFactorMissing"
  | "SeveralMerchants"
  | "PasswordRequired"
  | "Unavailable";

/** What the person has told us themselves. */
interface OwnStatement {
  readonly chosenMerchantId?: string;
  /** The member whose password, and code where they have codes, the person has given. */
  readonly provenMemberId?: string | undefined;
}

/** One merchant's member whom a person may sign in as. */
type Membership = IdentifiedMember & { readonly cell: Cell };

type SignedIn = Pick<Membership, "id" | "merchantId" | "email" | "accessVersion" | "cell">;

interface Memberships {
  readonly found: readonly Membership[];
  /** True if a cell did not answer, which may have more. */
  readonly isPartial: boolean;
}

/**
 * Returns the active members whom the identity may sign in as, at most one per merchant; those connected with it first. A
 * member without an identity is one of them if the provider has verified the member's address.
 */
export async function membershipsOf(identity: ProvenIdentity): Promise<Memberships> {
  const { issuer, subject, email } = identity;
  const names = [{ issuer, subject }, ...(email === null ? [] : [email])];
  const { found, isPartial } = await findInCells(names, () => findIdentifiedAcrossMerchants(identity, email));
  const linkedAt = new Set(found.filter(({ isLinked }) => isLinked).map(({ merchantId }) => merchantId));
  // A disabled member's identity must not lead to another member of the merchant who has the same address.
  const active = found.filter(
    ({ disabledAt, isLinked, merchantId }) => disabledAt === null && (isLinked || !linkedAt.has(merchantId)),
  );
  return { found: active.toSorted((a, b) => Number(b.isLinked) - Number(a.isLinked)), isPartial };
}

/**
 * Returns the member whom the identity belongs to. A member without one gets it with the first sign-in; one who has a
 * password must give it, because somebody else may have opened the invitation and chosen it. A
 * person with members in several merchants chooses: to choose for them would let any merchant divert a person whom it
 * invites. Refuses the person if there is no such member, and one factor where the merchant requires two.
 */
export async function signInByIdentity(
  identity: ProvenIdentity,
  address: string,
  { chosenMerchantId, provenMemberId }: OwnStatement = {},
): Promise<SignedIn | IdentityRefusal> {
  const { found: memberships, isPartial } = await membershipsOf(identity);
  const eligible =
    chosenMerchantId === undefined
      ? memberships
      : memberships.filter(({ merchantId }) => merchantId === chosenMerchantId);
  const [member, another] = eligible;
  if (!member && isPartial) return "Unavailable";
  if (!member) {
    log().warn({ subject: identity.subject, address }, "a single sign-on was rejected: nobody here");
    return "NotAMember";
  }
  if (another || (isPartial && chosenMerchantId === undefined)) return "SeveralMerchants";
  if (takesPassword(member) && provenMemberId !== member.id) return "PasswordRequired";
  return inCell(member.cell, () => withinMerchant(member.merchantId, () => begin(member, identity, address)));
}

/** True if connecting the member with the identity takes the member's password. */
export function takesPassword({ isLinked, hasPassword }: IdentifiedMember): boolean {
  return !isLinked && hasPassword;
}

async function begin(
  member: Membership,
  identity: ProvenIdentity,
  address: string,
): Promise<SignedIn | IdentityRefusal> {
  const { id, merchantId, email, accessVersion, cell } = member;
  const call = { requestId: null, address: address || null };
  if (member.requiresTwoFactors && !identity.hasTwoFactors) {
    const event = { merchantId, environment: null, action: "member.sign_in_refused", objectId: id, before: null };
    const act = actOf({ actor: SIGN_IN_ACTOR, ...call });
    await recordEvent({ ...event, after: { method: "single_sign_on", missing: "second_factor" } }, act);
    return "SecondFactorMissing";
  }
  if (!member.isLinked) await notePerson(identity);
  const linkedBy = actOf({ actor: { type: "member", id }, ...call });
  if (!member.isLinked && !(await insertIdentity({ merchantId, memberId: id }, identity, linkedBy)))
    return "NotAMember";
  log().info({ memberId: id, merchantId, address }, "a member signed in by single sign-on");
  return { id, merchantId, email, accessVersion, cell };
}

/**
 * Disconnects a member from the provider, as after a change of their account there; their authority then counts anew. The
 * next sign-in with their address connects them again. Returns how many identities there were.
 */
export async function resetIdentities(context: CallContext, memberId: string): Promise<number> {
  const { merchantId } = context.scope;
  const act = actOf(context);
  const { authorityCoolDownSeconds } = await merchantSettings(merchantId);
  return deleteIdentities({ merchantId, memberId }, authorityGiven(act.at, act.actor, authorityCoolDownSeconds), act);
}
