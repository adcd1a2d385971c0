// Managing members: invitations, roles, disabling, sign-out and password resets.

import { type Act, actOf } from "@/server/db/audit/record";
import { isRefusedBy } from "@/server/db/failures";
import { changeMember, findManagers, type MemberPatch, type MemberWorld } from "@/server/db/member-changes";
import { insertMember, type Member, type NewMember } from "@/server/db/members";
import type { LinkPurpose } from "@/server/db/one-time-links";
import { type Authority, authorityGiven } from "@/server/domain/authority";
import { notFoundError, validationError } from "@/server/domain/errors";
import { mayApprove, ROLES, type Role } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { isId, newId } from "@/server/platform/ids";
import { requireMerchant } from "../merchants/require";
import { merchantSettings } from "../merchants/settings";
import { notePerson } from "../sign-in/person-cells";
import { actingMember } from "./acting-member";
import { mailLink } from "./mail-link";
import { needsSecondPerson, readRoles, requireMayTouch, requireOwnerLeft, requireStillManager } from "./manage-rules";
import { readOptionalName } from "./names";
import { createLink, type OneTimeLink } from "./one-time-links";
import { hashPassword } from "./passwords";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export interface SentLink extends OneTimeLink {
  /** False without an SMTP server, or if it refused the mail. */
  readonly isMailed: boolean;
}

export interface NewPerson {
  readonly email: string;
  /** What people call them; none if empty or left out. */
  readonly name?: string | null | undefined;
  readonly roles: readonly string[];
}

/**
 * Adds a member with a password; returns the id. Throws validation_failed, not_found for an unknown merchant, and
 * Forbidden if a member who is not an owner adds an owner or admin.
 */
export async function addMember(context: CallContext, person: NewPerson, password: string): Promise<string> {
  const { name: merchantName } = await merchantSettings(context.scope.merchantId);
  const passwordHash = await hashPassword(password, { email: emailOf(person), merchantName });
  return insertPerson(context, person, { passwordHash });
}

/**
 * Adds a member who chooses a password by the returned link, and cannot sign in before. Roles that approve may wait for
 * another person's confirmation, as in `changeRoles`. Throws as `addMember` does.
 */
export async function inviteMember(
  context: CallContext,
  person: NewPerson,
): Promise<SentLink & { readonly id: string }> {
  const { link, stored } = createLink("invite");
  const id = await insertPerson(context, person, { link: stored });
  return { id, ...(await sendLink(context, { id, to: emailOf(person) }, "invite", link)) };
}

function emailOf(person: NewPerson): string {
  return person.email.trim().toLowerCase();
}

async function sendLink(
  { scope: { merchantId }, actor }: CallContext,
  { id, to }: { readonly id: string; readonly to: string },
  purpose: LinkPurpose,
  link: OneTimeLink,
): Promise<SentLink> {
  const { name: merchantName } = await merchantSettings(merchantId);
  const sender = actor.type === "member" ? { merchantId, id: actor.id } : null;
  const mail = { ...link, to, member: { merchantId, id }, sender, purpose, merchantName };
  return { ...link, isMailed: await mailLink(mail) };
}

async function insertPerson(context: CallContext, person: NewPerson, access: NewMember["access"]): Promise<string> {
  const { merchantId } = context.scope;
  const email = emailOf(person);
  if (!EMAIL.test(email)) throw validationError("email", "must be an email address");
  const roles = readRoles(person.roles);
  const name = readOptionalName(person.name ?? null);
  await requireMerchant(merchantId);
  const actor = await actingMember(context);
  requireStillManager(context.actor.type === "member", actor);
  requireMayTouch(actor, roles);
  const id = newId("member");
  const act = actOf(context);
  const authority = await authorityOf(merchantId, act);
  const world = { actor, targetId: id, ...(await findManagers(merchantId, act.at)) };
  const grant = needsSecondPerson(world, roles, act.at) ? { roles, enables: false } : null;
  const given = grant ? roles.filter((role) => !mayApprove([role])) : roles;
  await notePerson(email);
  try {
    await insertMember({ id, merchantId, email, name, access, roles: given, authority, grant }, act);
  } catch (error) {
    if (!isRefusedBy(error, "member_merchant_id_email_key")) throw error;
    throw validationError("email", "already belongs to a member of this merchant");
  }
  return id;
}

/** The authority that an act gives to a member. */
async function authorityOf(merchantId: string, { at, actor }: Act): Promise<Authority> {
  return authorityGiven(at, actor, (await merchantSettings(merchantId)).authorityCoolDownSeconds);
}

/**
 * Replaces the member's roles, effective from their next call. The list may be empty for a member with roles in test. If a
 * role that approves is new to the member, another owner or admin must confirm the roles, where there is one who may; the
 * member's roles are then returned as they are. Throws not_found, validation_failed and Forbidden.
 */
export function changeRoles(context: CallContext, id: string, wanted: readonly string[]): Promise<Member> {
  const roles = wanted.length === 0 ? [] : readRoles(wanted);
  return change(context, id, (world, given, at) => {
    const { target, actor, managers } = world;
    if (roles.length === 0 && !target.testRoles?.length) readRoles(roles);
    requireMayTouch(actor, target.roles, roles);
    if (!roles.includes("owner")) requireOwnerLeft(managers, target);
    if (target.roles.length === roles.length && roles.every((role) => target.roles.includes(role))) return null;
    const [before, after] = [{ roles: target.roles }, { roles }];
    const patch = { action: "member.change_roles", data: { roles }, before, after, endsSessions: false };
    const gains = roles.some((role) => mayApprove([role]) && !target.roles.includes(role));
    if (!gains) return patch;
    if (needsSecondPerson({ ...world, targetId: id }, roles, at)) return proposal(patch, roles, false);
    return { ...patch, data: { roles, authority: given } };
  });
}

/**
 * Gives the member other roles in the test environment than in live, or the same again (null), effective from their next
 * call. Roles of test count for nothing that both environments share. Throws not_found, validation_failed and Forbidden.
 */
export async function changeTestRoles(
  context: CallContext,
  id: string,
  wanted: readonly string[] | null,
): Promise<Member> {
  const testRoles = wanted === null || wanted.length === 0 ? wanted : readRoles(wanted);
  return change(context, id, ({ target, actor }) => {
    requireMayTouch(actor, target.roles);
    if (isSameList(target.testRoles, testRoles)) return null;
    const [before, after] = [{ test_roles: target.testRoles }, { test_roles: testRoles }];
    return { action: "member.change_test_roles", data: { testRoles }, before, after, endsSessions: false };
  });
}

function isSameList(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((role) => other.includes(role));
}

/** Disables the member and their sessions. Throws not_found, Forbidden, and validation_failed for the last owner. */
export function disableMember(context: CallContext, id: string): Promise<Member> {
  const { at } = actOf(context);
  return change(context, id, ({ target, actor, managers }) => {
    requireMayTouch(actor, target.roles);
    requireOwnerLeft(managers, target);
    if (target.disabledAt !== null) return null;
    const [before, after] = [{ disabled_at: null }, { disabled_at: at }];
    return { action: "member.disable", data: { disabledAt: at }, before, after, endsSessions: true };
  });
}

/**
 * Enables a disabled member. One whose roles approve waits for another person's confirmation, as in `changeRoles`. Throws
 * not_found and Forbidden.
 */
export function enableMember(context: CallContext, id: string): Promise<Member> {
  return change(context, id, (world, given, at) => {
    const { target, actor } = world;
    requireMayTouch(actor, target.roles);
    if (target.disabledAt === null) return null;
    const [before, after] = [{ disabled_at: target.disabledAt }, { disabled_at: null }];
    const data = { disabledAt: null, authority: given };
    const patch = { action: "member.enable", data, before, after, endsSessions: false };
    const roles = ROLES.filter((role) => target.roles.includes(role));
    return needsSecondPerson({ ...world, targetId: id }, roles, at) ? proposal(patch, roles, true) : patch;
  });
}

/** The proposal of a change that another person must confirm. */
function proposal({ before, after }: MemberPatch, roles: readonly Role[], enables: boolean): MemberPatch {
  const grant = { proposed: { roles, enables } };
  return { action: "member.propose_grant", data: {}, grant, before, after, endsSessions: false };
}

/** Ends all sessions of the member. Throws not_found and Forbidden. */
export function endSessionsOf(context: CallContext, id: string): Promise<Member> {
  return change(context, id, ({ target, actor }) => {
    requireMayTouch(actor, target.roles);
    return { action: "member.end_sessions", data: {}, before: null, after: {}, endsSessions: true };
  });
}

/** Makes the member's one-time link worthless, if one is unused. Throws not_found and Forbidden. */
export async function revokeLink(context: CallContext, id: string): Promise<void> {
  const voided = { action: "member.revoke_link", data: {}, before: null, after: {}, endsSessions: false };
  await change(context, id, ({ target, actor }) => {
    requireMayTouch(actor, target.roles);
    return { ...voided, onlyVoidsLink: true };
  });
}

/**
 * Ends the member's password and sessions. Also removes passkeys and codes that were set up within the last cool-down, since
 * an intruder may have added them. The member chooses a new password by the returned link. Throws not_found and Forbidden.
 */
export async function resetPassword(context: CallContext, id: string): Promise<SentLink> {
  const { link, stored } = createLink("reset");
  const { authorityCoolDownSeconds } = await merchantSettings(context.scope.merchantId);
  const { email } = await change(context, id, ({ target, actor }, given, at) => {
    requireMayTouch(actor, target.roles);
    const removesFactorsSince = new Date(at.getTime() - authorityCoolDownSeconds * 1_000);
    const [data, before, after] = [{ passwordHash: null, authority: given }, null, { link: stored.purpose }];
    return {
      action: "member.reset_password",
      data,
      before,
      after,
      link: { created: stored },
      endsSessions: true,
      removesFactorsSince,
    };
  });
  return sendLink(context, { id, to: email }, stored.purpose, link);
}

/** `given` is the authority that the change gives, where it gives any, and `at` its time. */
export async function change(
  context: CallContext,
  id: string,
  decide: (world: MemberWorld, given: Authority, at: Date) => MemberPatch | null,
): Promise<Member> {
  const { merchantId } = context.scope;
  if (!isId("member", id)) throw notFoundError();
  const act = actOf(context);
  const given = await authorityOf(merchantId, act);
  const decideNow = (world: MemberWorld) => {
    requireStillManager(act.actor.type === "member", world.actor);
    return decide(world, given, act.at);
  };
  const member = await changeMember(merchantId, id, decideNow, act);
  if (!member) throw notFoundError();
  return member;
}
